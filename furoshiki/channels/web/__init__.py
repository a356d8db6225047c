"""The web page: the same companion in a browser, through inbox and outbox."""

from furoshiki.messages.channels import WEB

NAME = WEB  # the channel's name, and that of its one conversation
