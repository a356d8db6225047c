"""Record the effects of retrieval once, after the turn: reading never writes.

The commit of a turn leaves a note of its retrievals (`leave`) in its transaction. `find_pending`
reads the note; `record_feedback` applies and deletes it in a transaction with the turn's other
effects. After a crash the next start does it.
"""

import contextlib
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from furoshiki.core import json_values, refs
from furoshiki.core.database import kv
from furoshiki.core.errors import StorageUnavailable
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import parse, stamp
from furoshiki.memory import focus, weighing
from furoshiki.memory.rules import usage
from furoshiki.memory.rules.injection import NEAR_MISSES
from furoshiki.memory.store import accesses, memories, retrievals
from furoshiki.memory.store.retrievals import Retrieval
from furoshiki.messages.store import turns
from furoshiki.messages.values import COMPANION, USER
from furoshiki.mind.consolidation.synthesis import tensions
from furoshiki.recall.retrieval.store import full_text
from furoshiki.world import World

RETRIEVED = 0.1  # the gain in alpha of a memory shown to the model
NEARLY = 0.05  # the gain in beta of a memory that was nearly shown
LEARNS = 0.2  # the weight of the newest answer in a memory's utility: about five answers count

# number of best memories shown together that become pairs: pairs grow with the square
MOST_TOGETHER = 12

NOTE = "settle."  # the `kv` key prefix of a turn's note

SELDOM_SHARE = 0.02
SELDOM_LEAST = 5  # a word is rare when at most this share of all turns, or this number, contains it


def leave(
    db: sqlite3.Connection,
    key: str,
    woken: Sequence[Retrieval],
    coming: Mapping[str, Any] | None,
    heard: Sequence[int],
    now: datetime,
) -> None:
    """Store the note for `settle`, inside the transaction that stores the turn."""
    if not woken and coming is None:
        return
    note = {
        "woken": [dict(vars(retrieval)) for retrieval in woken],
        "focus": None if coming is None else dict(coming),
        "heard": list(heard),
        "at": stamp(now),
    }
    kv.put(db, NOTE + key, note, now)


@dataclass(frozen=True)
class PendingFeedback:
    """The effects of a turn's retrieval that are not recorded yet."""

    key: str
    woken: tuple[Retrieval, ...]
    focus: Mapping[str, Any] | None
    heard: tuple[int, ...]
    at: datetime


def find_pending(world: World, key: str) -> PendingFeedback | None:
    """Return the pending effects of a turn; None when there are none. Raises StorageUnavailable."""
    with world.database.read() as db:
        note = kv.get(db, NOTE + key)
        if note is None:
            return None
        woken = [json_values.build(Retrieval, one) for one in note["woken"]]
        used = _find_used(db, key, woken)
    marked = tuple(replace(retrieval, used=retrieval.item in used) for retrieval in woken)
    return PendingFeedback(key, marked, note["focus"], tuple(note["heard"]), parse(note["at"]))


def record_feedback(world: World, db: sqlite3.Connection, feedback: PendingFeedback) -> bool:
    """Record the effects in the caller's transaction; return False when that was already done."""
    if not kv.drop(db, NOTE + feedback.key):
        return False
    if feedback.focus is not None:
        focus.move(db, feedback.focus, feedback.heard, feedback.at)
    if feedback.woken and not retrievals.is_recorded(db, feedback.key):
        _record(world, db, feedback.key, feedback.woken, feedback.at)
    point("turn.before_settled")
    return True


def settle(world: World, key: str) -> bool:
    """Record a turn's effects in a transaction of its own; return False when there are none. Raises
    StorageUnavailable."""
    feedback = find_pending(world, key)
    if feedback is None:
        return False
    with world.database.write() as db:
        return record_feedback(world, db, feedback)


def settle_all(world: World) -> int:
    """Settle the turns that a crash left pending; return their number."""
    with world.database.read() as db:
        keys = kv.keys(db, NOTE)
    count = 0
    for key in keys:
        with contextlib.suppress(StorageUnavailable):
            count += settle(world, key.removeprefix(NOTE))
    return count


def _record(world: World, db: sqlite3.Connection, key: str, woken: Sequence[Retrieval], at: datetime) -> None:
    retrievals.record(db, key, woken, at)
    cycle = replace(weighing.cycle(world, "turn"), id=refs.name("turn", key))
    injected = [retrieval for retrieval in woken if retrieval.injected and _is_memory(retrieval)]
    missed = [
        refs.row(retrieval.item)
        for retrieval in woken
        if not retrieval.injected and _is_memory(retrieval) and retrieval.rank in NEAR_MISSES
    ]
    ids = [refs.row(retrieval.item) for retrieval in injected]
    for retrieval in injected:
        evidence = {"turn": key, "rank": retrieval.rank, "used": retrieval.used}
        weighing.reinforce(db, cycle, refs.row(retrieval.item), RETRIEVED, "retrieved", evidence)
    if missed:
        weighing.bulk_decay(db, cycle, missed, NEARLY, "near_miss", {"turn": key})
    if ids:
        tensions.record_surfacing(db, ids, at)
        for used in (True, False):
            memories.of_use(
                db, [refs.row(retrieval.item) for retrieval in injected if retrieval.used is used], used, LEARNS
            )
        memories.touch(db, ids, at)
        memories.warm(db, ids)
        accesses.record(db, ids, at)
        accesses.together(db, ids[:MOST_TOGETHER], at)


def _find_used(db: sqlite3.Connection, key: str, woken: Sequence[Retrieval]) -> set[str]:
    """Return the retrieved items whose distinctive words occur in the answer."""
    spoken = turns.of_key(db, key)
    reply = "\n".join(turn.text for turn in spoken if turn.speaker == COMPANION)
    question = "\n".join(turn.text for turn in spoken if turn.speaker == USER)
    telling, common = {}, {}
    for name, text in _texts(db, [retrieval.item for retrieval in woken if retrieval.injected]).items():
        telling[name] = usage.find_telling_words(text, question)
        common[name] = usage.find_shared(telling[name], reply)
    often = max(SELDOM_LEAST, int(SELDOM_SHARE * turns.newest_id(db)))
    stems = set().union(*common.values()) if common else set()
    rare = {stem for stem in stems if full_text.times_said(db, stem, often + 1) <= often}
    return {name for name, found in telling.items() if usage.was_used(found, common[name], rare)}


def _texts(db: sqlite3.Connection, names: Sequence[str]) -> dict[str, str]:
    texts = {refs.name("turn", turn.id): turn.text for turn in turns.many(db, refs.rows(names, "turn"))}
    held_memories = memories.of_ids(db, refs.rows(names, "memory"))
    return texts | {refs.name("memory", memory.id): memory.content for memory in held_memories}


def _is_memory(retrieval: Retrieval) -> bool:
    return refs.is_of(retrieval.item, "memory")
