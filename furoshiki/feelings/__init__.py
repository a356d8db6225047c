"""Emotions, needs and mood, and the heartbeat (the state file that holds them)."""
