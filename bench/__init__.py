"""Benchmarks: each file prints a table, as its first lines describe."""
