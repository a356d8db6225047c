"""Read finished conversations and store the results."""
