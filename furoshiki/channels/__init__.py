"""Channels: where words come from and go to. They see the storage and the mind; nothing below sees them."""
