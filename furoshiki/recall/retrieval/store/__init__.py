"""Database access for full text, vectors and tokens."""
