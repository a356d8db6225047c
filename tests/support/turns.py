"""What was said in a world, for tests of the turn."""

from __future__ import annotations

from datetime import UTC
from typing import Any

from furoshiki.conversation.values import Bearing, Concerns, Context, Known, Talk, Woken
from furoshiki.memory.focus import NONE
from furoshiki.memory.perception.values import Percept
from furoshiki.owner.user_model.rules.style_choosing import Block
from furoshiki.world import World


def context(percept: Percept, **more: Any) -> Context:
    """What a mind is shown of a turn in which nothing else is going on; `more` are fields of what was gathered."""
    known: dict[str, Any] = {"zone": UTC, "name": None, "facts": (), "fresh": (), "held_back": frozenset()}
    known |= {"block": {"text": "stable"}, "topic": None, "last_seen": None, "median_gap": 0.0}
    talk: dict[str, Any] = {"stable": (), "history": (), "window_start": 12, "intensity": 0.5, "history_budget": 0}
    talk |= {"left": 0, "outside": (), "plugins": (), "decided": (), "elsewhere": ()}
    concerns: dict[str, Any] = dict.fromkeys(("operations", "long_work", "reminders", "waiting", "gists"), ())
    concerns |= {"session": None, "asks": None, "put_right": (), "encoder": None}
    bearing: dict[str, Any] = {"cared": None, "style": Block(), "needs": {}}
    woken: dict[str, Any] = {"shown": (), "retrieved": (), "inertia": NONE, "found": ()}
    made: list[Any] = [
        kind(**{name: more.pop(name, value) for name, value in fields.items()})
        for kind, fields in ((Known, known), (Talk, talk), (Concerns, concerns), (Bearing, bearing), (Woken, woken))
    ]
    return Context(percept, *made, **more)


def said(world: World, where: str = "1=1") -> list[tuple[str, str, str]]:
    with world.database.read() as db:
        rows = db.execute(f"SELECT speaker, kind, text FROM turns WHERE {where} ORDER BY id").fetchall()
    return [(row["speaker"], row["kind"], row["text"]) for row in rows]
