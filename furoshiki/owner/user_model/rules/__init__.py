"""Pure functions on profile and style."""
