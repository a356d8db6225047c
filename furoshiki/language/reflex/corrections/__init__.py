"""Corrections by the user: what is meant, and the reply."""
