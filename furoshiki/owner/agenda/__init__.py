"""What waits to be said or done: the mind queue, tasks, reminders, operations."""
