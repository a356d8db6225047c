"""The inner monologue: journal pages, thoughts and contemplation."""
