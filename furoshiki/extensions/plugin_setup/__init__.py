"""Bundled plugins in the chat: offers, switching and set-up by buttons; and a plugin template."""
