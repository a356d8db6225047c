"""Queries that only the pages and the API need."""
