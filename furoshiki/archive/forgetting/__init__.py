"""Forgetting: showing what would go, asking once, and removing it from rows, files and index."""
