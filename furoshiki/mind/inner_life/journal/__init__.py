"""The inner monologue: pages, thoughts, contemplation."""
