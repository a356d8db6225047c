"""The owner and everybody they know: tasks, how they like to be spoken to, other people."""
