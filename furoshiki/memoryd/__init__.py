"""The one process that holds the embedding model and the semantic index, and answers on a Unix socket."""
