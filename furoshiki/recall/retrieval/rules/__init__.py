"""Pure functions for ranking."""
