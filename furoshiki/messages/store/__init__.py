"""Database access for messages."""
