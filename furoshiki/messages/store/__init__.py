"""The rows of messages."""
