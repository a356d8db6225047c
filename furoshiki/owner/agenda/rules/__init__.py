"""Pure functions on pending things."""
