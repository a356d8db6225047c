"""The rows that forgetting finds and removes."""
