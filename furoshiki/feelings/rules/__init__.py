"""Pure functions on emotions, needs and mood, and their constants."""
