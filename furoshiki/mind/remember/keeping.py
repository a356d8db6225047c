"""Keep what was learned: the same thing said again strengthens it, a changed thing ends the old one with a date."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from furoshiki.domain import truths
from furoshiki.domain.user_needs import UserNeed
from furoshiki.mind.turn.values import Note
from furoshiki.storage import feelings, memories, tombstones, turns
from furoshiki.storage.memories import NewMemory
from furoshiki.world import World

Kept = Literal["new", "again", "changed", "buried"]
"""`buried`: it was forgotten, and has not been said again since; nothing was written."""


def keep(
    db: sqlite3.Connection,
    note: Note,
    turn_ids: Sequence[int],
    now: datetime,
    source_tag: str = "external_user",
    event_time: datetime | None = None,
    confidence: float = 1.0,
) -> Kept:
    """Write a note down with the turns it rests on, inside the caller's transaction."""
    if _buried(db, note, turn_ids):
        return "buried"
    outcome: Kept = "new"
    if note.subject and note.predicate and note.object:
        for held in memories.about(db, note.subject, note.predicate):
            if truths.same(held.object, note.object):
                memories.reinforce(db, held.id, turn_ids, now)
                return "again"
            if truths.ends(note.predicate, held.object, note.object):
                memories.close(db, held.id, now)
                outcome = "changed"
    elif (held_id := memories.with_content(db, note.text)) is not None:
        memories.reinforce(db, held_id, turn_ids, now)
        return "again"
    memories.add(
        db,
        NewMemory(
            type=note.type,
            content=note.text,
            turn_ids=tuple(turn_ids),
            source_tag=source_tag,
            subject=note.subject,
            predicate=note.predicate,
            object=note.object,
            category=note.category,
            valid_from=now,
            event_time=event_time,
            confidence=confidence,
        ),
        now,
    )
    return outcome


def _buried(db: sqlite3.Connection, note: Note, turn_ids: Sequence[int]) -> bool:
    names = tombstones.fact(note.subject, note.predicate, note.object, note.text)
    said_at = max((turn.at for turn in turns.many(db, list(turn_ids))), default=None)
    return tombstones.buried(db, "memory", names, said_at)


def record_needs(world: World, before: Mapping[str, UserNeed], after: Mapping[str, UserNeed], cause: str) -> None:
    """Append every change of what the user seems to need to its history."""
    changed = {name: need for name, need in after.items() if need != before.get(name)}
    if not changed:
        return
    with world.store.write() as db:
        for name, need in changed.items():
            feelings.record_user_need(db, world.now, name, need.level, need.confidence, need.evidence, cause)
