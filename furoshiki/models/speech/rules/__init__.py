"""What is said aloud, and how it is worded for that."""
