"""The part of forgetting that concerns tasks, reminders and queued thoughts."""

import sqlite3
from collections.abc import Collection, Set

from furoshiki.core import refs
from furoshiki.core.database.erasure import Erasure
from furoshiki.core.database.rows import find_value, find_values
from furoshiki.language.redaction import Holds


def task_title(db: sqlite3.Connection, task_id: int) -> str:
    return str(find_value(db, "SELECT title FROM tasks WHERE id=?", task_id))


def of_session(db: sqlite3.Connection, name: str, holds: Holds | None, erasure: Erasure) -> None:
    """Collect a session's queued questions: all if `holds` is None, else those it matches."""
    question = "SELECT rowid, summary, detail FROM mind_queue WHERE source=?"
    for row in db.execute(question, (refs.name("sessions", name),)):
        if holds is None or holds(f"{row['summary']} {row['detail'] or ''}"):
            erasure.go("mind_queue", [row[0]])


def of_thoughts(db: sqlite3.Connection, thoughts: Set[str], proposed: Collection[int], erasure: Erasure) -> None:
    """Collect queued thoughts with these sources, and the long tasks they proposed."""
    erasure.go("persistent_tasks", proposed)
    tasks = erasure.rows.get("persistent_tasks", set())
    waiting = {*thoughts, *refs.names("persistent_tasks", tasks)}
    erasure.go_by(db, "mind_queue", "source", waiting)
    going = {*waiting, *refs.names("mind_queue", erasure.rows.get("mind_queue", set()))}
    erasure.go_by(db, "attention_candidates", "ref", going)
    for task in tasks:
        under = f"{refs.name('persistent_task', task)}/*"
        for table, column in (("act_iterations", "loop_key"), ("skill_runs", "turn_key")):
            erasure.go(table, find_values(db, f"SELECT rowid FROM {table} WHERE {column} GLOB ?", under))  # noqa: S608
