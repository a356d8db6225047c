"""Perception of incoming messages: words, attachments, voice, signals; the result is a Percept."""
