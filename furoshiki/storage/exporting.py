"""Everything that was said and learned, row by row, for those who want to take it with them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

from furoshiki.storage.rows import load

_TURNS = (
    "SELECT id, session_id AS session, channel, chat_id, speaker, kind, text, at, reply_to, replaced_by, external_id, "
    "attachments, source, import_id FROM turns ORDER BY id"
)
_MEMORIES = (
    "SELECT id, type, content, subject, predicate, object, category, valid_from, valid_to, event_time, created_at, "
    "source_tag, source_confidence AS confidence, status, (SELECT json_group_array(turn_id) FROM memory_sources "
    "WHERE memory_id=memories.id) AS turn_ids FROM memories ORDER BY id"
)
_TASKS = (
    "SELECT id, list_id AS list, title, notes, due_at, due_zone, recurrence, state, created_at FROM tasks ORDER BY id"
)


def everything(db: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    """Each turn, memory and task as a plain value with its "record" kind; empty fields are left out."""
    for record, question in (("turn", _TURNS), ("memory", _MEMORIES), ("task", _TASKS)):
        for row in db.execute(question):
            found = {name: row[name] for name in row.keys() if row[name] is not None}  # noqa: SIM118 - a Row is no dict
            for name in ("attachments", "turn_ids"):
                if name in found:
                    found[name] = load(found[name])
            yield {"record": record, **found}
