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

OWED = "contradiction.owed"  # the `kv` key of the pairs to check, by ids
MOST_KEPT = 100  # beyond these the oldest are dropped, to bound the cost after a long outage

MOST_A_NIGHT = 20
CONTEST = 0.5  # added to beta of a memory that is contradicted

# confidence of a link between contradicting memories (by rule, direction, or a model's yes)
SURE = 0.8

CONTESTED = "contested"  # the operation's name in the log


def note(db: sqlite3.Connection, memory_id: int, turn_id: int, kept_as: int | None, now: datetime) -> None:
    """Record that a turn may contradict a memory; `kept_as` is the memory stored from that turn."""
    owed = kv.get(db, OWED, [])
    kv.put(db, OWED, [*owed, [memory_id, turn_id, kept_as]][-MOST_KEPT:], now)


async def step(world: World, cycle: Cycle) -> dict[str, Any]:
    """Ask the model about recorded pairs; return the numbers asked and contested."""
    with world.database.read() as db:
        owed = kv.get(db, OWED, [])
    answered = contested = 0
    for check in owed[:MOST_A_NIGHT]:
        pair = _pair(world, check)
        against = False
        if pair is not None:
            try:
                against = await contradiction.ask_model(world, *pair)
            except NoMindAnswered as error:
                if error.away:
                    break
            except AnswerUnusable:
                pass  # asked twice without a usable answer: the rules' answer stands
            answered += 1
        point("owed_checks.before_settled")
        with world.database.write() as db:
            left = kv.get(db, OWED, [])
            if check not in left:
                continue  # another run was first, or the pair was deleted
            left.remove(check)
            kv.put(db, OWED, left, cycle.now)
            contested += against and _contest(db, cycle, *check)
    return {"asked": answered, "contested": contested}


def _pair(world: World, check: list[Any]) -> tuple[str, str] | None:
    """Return the memory's and the turn's statement in the user's words; None if either is gone."""
    memory_id, turn_id, _kept_as = check
    with world.database.read() as db:
        memory = memories.get(db, memory_id)
        turn = turns.get(db, turn_id)
    if memory is None or memory.status != "active" or memory.valid_to is not None or turn is None or not turn.own:
        return None
    return contradiction.statement(memory), turn.own


def _contest(db: sqlite3.Connection, cycle: Cycle, memory_id: int, turn_id: int, kept_as: int | None) -> bool:
    if kept_as is not None and memories.get(db, kept_as) is not None:
        if not links.link(db, kept_as, memory_id, "contradicts", SURE, cycle.now):
            return False
        weighing.contradict(db, cycle, kept_as, CONTEST, CONTESTED, {"with": memory_id})
    weighing.contradict(db, cycle, memory_id, CONTEST, CONTESTED, {"turn": turn_id, "with": kept_as})
    return True
