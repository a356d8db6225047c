"""The database rows that forgetting finds and deletes."""
