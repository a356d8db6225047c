"""Reminders and lists as people ask for them, and what is answered."""
