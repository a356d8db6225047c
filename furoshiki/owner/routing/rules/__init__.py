"""Pure functions on messages."""
