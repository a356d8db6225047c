"""Months of life in minutes: the real turn, jobs, gates and reminders, a virtual clock, a persona, a scripted model."""
