"""Expressions of time and their meaning."""
