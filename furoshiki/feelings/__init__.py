"""Emotions, needs and mood, and the heartbeat that carries them."""
