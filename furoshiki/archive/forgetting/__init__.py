"""Forgetting: preview, one confirmation, and deletion from rows, files and index."""
