"""Requests for reminders and lists, and the replies to them."""
