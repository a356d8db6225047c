"""Finding again what was said, and taking in what was said elsewhere."""
