"""Errors that come back: noticed, looked into, mended where that is safe, else laid before the owner."""
