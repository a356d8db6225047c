"""The `furoshiki` command: one module for each shell command."""
