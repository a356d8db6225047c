"""Forgetting, import and export of data."""
