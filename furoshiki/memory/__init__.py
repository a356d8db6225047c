"""Memories: selection, weight, injection into prompts, and concepts."""
