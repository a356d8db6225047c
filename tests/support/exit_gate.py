"""Something said that the exit gate will judge."""

from __future__ import annotations

from typing import Any

from furoshiki.memory.store import memories, scratch
from furoshiki.memory.values import Memory, NewMemory
from furoshiki.messages.store import turns
from furoshiki.world import World
from tests.support.rows import companion_said, user_said


def say(world: World, text: str, charge: float = 0.0, before: str = "") -> int:
    """Put something the user said into the buffer; returns its turn."""
    with world.database.write() as db:
        if before:
            turns.add(db, companion_said(before, world.now))
        turn_id = turns.add(db, user_said(text, world.now))
        scratch.put(db, turn_id, text, {"kind": "said", "signals": {}}, "external_user", charge, world.now)
    return turn_id


def know(world: World, content: str, **more: Any) -> int:
    with world.database.write() as db:
        turn_id = turns.add(db, user_said(content, world.now, session_id="long ago"))
        return memories.add(db, NewMemory("semantic", content, (turn_id,), **more), world.now)


def moments(world: World) -> list[Memory]:
    with world.database.read() as db:
        return [one for one in memories.newest(db, 50) if one.type == "episodic"]
