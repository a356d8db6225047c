"""What something rests on, as `/why` knows it."""

from __future__ import annotations

from typing import Any

from furoshiki.conversation.commands.look import why
from furoshiki.world import World


def reasons(world: World, name: str) -> dict[str, Any] | None:
    """What "memory:3" rests on, or "turn:12" belongs to; None when there is no such thing."""
    with world.database.read() as db:
        return why.read_source(db, name)
