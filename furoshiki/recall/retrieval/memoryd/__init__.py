"""The process that holds the encoder and Chroma."""
