"""The rows of feelings."""
