"""The console: the same companion, spoken to from a terminal through the same two boxes as every other channel."""

NAME = "console"
"""The channel, and the name of its one conversation."""
