"""Possible contradictions that only a model could confirm, deferred until night.

The message itself is stored or discarded at once. If the model later finds a contradiction, both
memories are contested as they would have been then.
"""

import sqlite3
from datetime import datetime
from typing import Any

from furoshiki.core.database import kv
from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.core.process.crash_points import point
from furoshiki.memory import contradiction, weighing
from furoshiki.memory.store import links, memories
from furoshiki.memory.weighing import Cycle
from furoshiki.messages.store import turns
from furoshiki.world import World

OWED = "contradiction.owed"
"""The `kv` key of the pairs to check, by ids."""

MOST_KEPT = 100
"""Beyond these the oldest are dropped, to bound the cost after a long outage."""

MOST_A_NIGHT = 20
CONTEST = 0.5
"""Added to beta of a memory that is contradicted."""

SURE = 0.8
"""Confidence of a link between contradicting memories (by rule, direction, or a model's yes)."""

CONTESTED = "contested"
"""The operation's name in the log."""


def note(db: sqlite3.Connection, memory_id: int, turn_id: int, kept_as: int | None, now: datetime) -> None:
    """Record that a turn may contradict a memory; `kept_as` is the memory stored from that turn."""
    held = kv.get(db, OWED, [])
    kv.put(db, OWED, [*held, [memory_id, turn_id, kept_as]][-MOST_KEPT:], now)


async def step(world: World, cycle: Cycle) -> dict[str, Any]:
    """Ask the model about recorded pairs; return the numbers asked and contested."""
    with world.database.read() as db:
        owed = kv.get(db, OWED, [])
    asked = contested = 0
    for one in owed[:MOST_A_NIGHT]:
        found = _pair(world, one)
        against = False
        if found is not None:
            try:
                against = await contradiction.ask_model(world, *found)
            except NoMindAnswered as error:
                if error.away:
                    break
            except AnswerUnusable:
                pass  # asked twice without a usable answer: the rules' answer stands
            asked += 1
        point("owed_checks.before_settled")
        with world.database.write() as db:
            left = kv.get(db, OWED, [])
            if one not in left:
                continue  # another run was first, or the pair was deleted
            left.remove(one)
            kv.put(db, OWED, left, cycle.now)
            contested += against and _contest(db, cycle, *one)
    return {"asked": asked, "contested": contested}


def _pair(world: World, one: list[Any]) -> tuple[str, str] | None:
    """Return the memory's and the turn's statement in the user's words; None if either is gone."""
    memory_id, turn_id, _kept_as = one
    with world.database.read() as db:
        held = memories.get(db, memory_id)
        said = turns.get(db, turn_id)
    if held is None or held.status != "active" or held.valid_to is not None or said is None or not said.own:
        return None
    return contradiction.statement(held), said.own


def _contest(db: sqlite3.Connection, cycle: Cycle, memory_id: int, turn_id: int, kept_as: int | None) -> bool:
    if kept_as is not None and memories.get(db, kept_as) is not None:
        if not links.link(db, kept_as, memory_id, "contradicts", SURE, cycle.now):
            return False
        weighing.contradict(db, cycle, kept_as, CONTEST, CONTESTED, {"with": memory_id})
    weighing.contradict(db, cycle, memory_id, CONTEST, CONTESTED, {"turn": turn_id, "with": kept_as})
    return True
