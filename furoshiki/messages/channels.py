"""The channels by name, and what is true of them everywhere. What each does with words is in `furoshiki.channels`."""

from __future__ import annotations

TELEGRAM = "telegram"
CONSOLE = "console"
WEB = "web"

HERE = frozenset({CONSOLE, WEB})
"""On the companion's own machine: whoever can use them is the owner. Each has one conversation, named as it is."""

SHOWS_EVERYTHING = frozenset({WEB})
"""Shown from the database, whatever channel it was said on: so what is stored for it has arrived, and what was said
anywhere is what was said there."""
