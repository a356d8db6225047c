"""Queries of the overviews."""
