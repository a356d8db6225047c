"""The web page: the same companion, written to from a browser through the same two boxes as every other channel."""

from furoshiki.messages.channels import WEB

NAME = WEB
"""The channel, and the name of its one conversation."""
