"""Channels: where messages come from and go to. They use storage and mind, never the reverse."""
