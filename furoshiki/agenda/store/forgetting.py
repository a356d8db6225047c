"""Forgetting among tasks, reminders and thoughts that wait."""

from __future__ import annotations

import sqlite3

from furoshiki.core import refs
from furoshiki.core.database.erasure import Erasure
from furoshiki.language.redaction import Holds


def task_title(db: sqlite3.Connection, task_id: int) -> str:
    """What a task or reminder is called."""
    return str(db.execute("SELECT title FROM tasks WHERE id=?", (task_id,)).fetchone()[0])


def of_session(db: sqlite3.Connection, name: str, holds: Holds | None, found: Erasure) -> None:
    """What a session put aside to be asked about later: all of it for None, else what holds what goes."""
    question = "SELECT rowid, summary, detail FROM mind_queue WHERE source=?"
    for row in db.execute(question, (refs.name("sessions", name),)):
        if holds is None or holds(f"{row['summary']} {row['detail'] or ''}"):
            found.go("mind_queue", [row[0]])
