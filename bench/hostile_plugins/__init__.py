"""Hostile plugins for testing this machine's sandbox: `python -m bench.hostile_plugins`."""
