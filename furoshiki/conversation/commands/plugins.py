"""`/plugins`: which programs the owner allowed, what they do and may, and why one does not run. They are allowed at the
machine alone."""

from __future__ import annotations

from furoshiki.extensions.plugins import telling
from furoshiki.language.humanize import shortened
from furoshiki.messages.values import Envelope, Words
from furoshiki.world import World

NONE = "I have no plugins. At the machine, `furoshiki plugins list` names those that come with me."
MOST_CHARACTERS = 300


async def run(world: World, _args: str, _envelope: Envelope) -> Words:
    """A line each."""
    lines = [f"- {shortened(line, MOST_CHARACTERS)}" for line in telling.lines(world)]
    return Words("\n".join(lines) or NONE)
