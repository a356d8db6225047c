"""The tables of unprompted messages and of how each kind is received."""
