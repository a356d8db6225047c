"""Commands that show the companion's state, its view of itself and of you, and its errors."""
