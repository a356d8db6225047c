"""The console: the same companion, spoken to from a terminal through the same two boxes as every other channel."""

from furoshiki.messages.channels import CONSOLE

NAME = CONSOLE
"""The channel, and the name of its one conversation."""
