"""Memories: what becomes one, what it weighs, what of it is shown, concepts."""
