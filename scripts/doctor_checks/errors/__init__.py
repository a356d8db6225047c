"""What does not work, and what happened since the last look."""
