"""Whose models the companion thinks with: what is found, what a choice sets, whether it answers, what it costs."""
