"""Database access for pending things."""
