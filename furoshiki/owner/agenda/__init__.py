"""Pending things to say or do: the mind queue, tasks, reminders, operations."""
