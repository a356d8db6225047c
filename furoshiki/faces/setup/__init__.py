"""The first set-up: asks for what a companion needs, checks each answer, and saves it at once."""
