"""The rows of what waits."""
