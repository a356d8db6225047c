"""Turn finished operations into memories of the companion, once, after they were reported.

A memory cites the turns that requested the operation; if those are forgotten none is stored.
"""

import sqlite3
from datetime import datetime, tzinfo

from furoshiki.core.timestamps import name_day
from furoshiki.memory.rules.one_line import compress
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from furoshiki.owner.agenda.store import operations
from furoshiki.owner.agenda.store.operations import Operation

SOURCE = "internal_operation"  # the source tag of such a memory; its `metadata` names the operation


ASKED_BY = 2  # cited turns: the request and the answer to it


def harvest(db: sqlite3.Connection, now: datetime, zone: tzinfo) -> None:
    """Store memories of read operations, in the caller's transaction."""
    for operation in operations.list_unharvested(db):
        rests_on = turns.first_since(db, operation.channel, operation.chat_id, operation.created_at, ASKED_BY)
        if not operations.mark_harvested(db, operation.id, now) or not rests_on:
            continue
        text = _words(operation, zone)
        new = NewMemory(
            type="episodic",
            content=text,
            turn_ids=tuple(rests_on),
            source_tag=SOURCE,
            category="operation",
            event_time=operation.created_at,
            compressed=compress(text),
            metadata={"operation": operation.id},
        )
        memories.add(db, new, now)


def _words(operation: Operation, zone: tzinfo) -> str:
    return f"On {name_day(operation.created_at, zone)} I finished {operation.title}: {operation.result or 'done'}."
