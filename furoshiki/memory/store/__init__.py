"""The rows of memory."""
