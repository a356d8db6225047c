"""Hostile plugins, for the sandbox of this machine: `python -m bench.hostile_plugins` shows what comes of each."""
