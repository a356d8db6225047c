"""The first set-up: asks for what a companion needs, checks each answer where it can, and saves it at once."""
