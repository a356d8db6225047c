"""Conversations from elsewhere, everything out, and back in."""
