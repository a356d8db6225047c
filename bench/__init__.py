"""Measurements: each file prints a table, see its first lines."""
