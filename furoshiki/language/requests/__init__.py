"""Requests in plain words: to forget something, reminders, pictures, corrections, yes and no."""
