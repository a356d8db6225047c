"""Errors that come back, and what happened since the last look."""
