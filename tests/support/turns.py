"""What was said in a world, for tests of the turn."""

from __future__ import annotations

from typing import Any

from furoshiki.conversation.values import Context
from furoshiki.perception.values import Percept
from furoshiki.world import World


def context(percept: Percept, **more: Any) -> Context:
    """What a mind is shown of a turn in which nothing else is going on."""
    found: dict[str, Any] = {
        "percept": percept,
        "stable": (),
        "history": (),
        "window_start": 12,
        "now_text": "",
        "memories": (),
        "facts": (),
        "operations": (),
        "user_name": None,
        "last_seen": None,
        "first_meeting": False,
        "median_gap": 0.0,
        "session_block": {"text": "stable"},
    }
    return Context(**found | more)


def said(world: World, where: str = "1=1") -> list[tuple[str, str, str]]:
    with world.database.read() as db:
        rows = db.execute(f"SELECT speaker, kind, text FROM turns WHERE {where} ORDER BY id").fetchall()
    return [(row["speaker"], row["kind"], row["text"]) for row in rows]
