"""Commands that show how it is, what it thinks of itself and of you, and what became of its errors."""
