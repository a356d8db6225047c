"""Database access for memories."""
