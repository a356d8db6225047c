"""The API under /api/v1, a module for each group of resources."""
