"""Skills that a model may call within a turn, one module each, and their registry."""
