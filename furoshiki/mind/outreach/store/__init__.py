"""The tables of what was said unasked, and how each kind of it is received."""
