"""Present troubles, and errors since the last check."""
