"""The rows of the inner life."""
