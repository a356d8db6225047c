"""The owner and other users: tasks, style preferences, people."""
