"""The companion's work between conversations."""
