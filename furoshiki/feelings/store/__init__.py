"""Database access for feelings."""
