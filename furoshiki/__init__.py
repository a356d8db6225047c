"""Furoshiki: a personal companion that lives in its owner's Telegram and remembers."""
