"""The console: the same companion in a terminal, through inbox and outbox."""

from furoshiki.messages.channels import CONSOLE

NAME = CONSOLE  # the channel's name, and that of its one conversation
