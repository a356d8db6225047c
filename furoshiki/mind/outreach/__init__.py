"""What the companion says unasked: why, when, in which words, and what became of it."""
