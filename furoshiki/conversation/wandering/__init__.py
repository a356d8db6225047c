"""Idle wandering: seeds, spreading activation, drifting thoughts, and their effects."""
