"""Hostile plugins, shipped so that the owner can set them on their own machine's sandbox and see what comes of it."""
