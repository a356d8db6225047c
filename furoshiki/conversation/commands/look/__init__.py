"""Commands that show the companion's state, its self-description, and its reasons."""
