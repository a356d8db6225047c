"""Queries on the load of a home's database, in figures."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.timestamps import stamp
from furoshiki.messages.store import inbox, outbox
from furoshiki.mind.outreach.store import continuity
from furoshiki.owner.agenda.store import tasks

TELEGRAM = "telegram"


def calls(db: sqlite3.Connection, now: datetime) -> bool:
    """Return whether a sleeping home must be woken: a message waits or can be sent now, or a
    process died and left one half done."""
    return (
        inbox.waits(db)
        or inbox.has_unfinished(db)
        or bool(outbox.ready(db, TELEGRAM, now) or outbox.in_state(db, "sending"))
    )


def wakes_at(db: sqlite3.Connection) -> datetime | None:
    """Return when a timer must wake a sleeping home; None when nothing waits for a time."""
    timer = continuity.get(db)
    moments = (tasks.next_due(db), outbox.next_due(db, TELEGRAM), timer.due if timer else None)
    return min((one for one in moments if one is not None), default=None)


def count_failed_jobs(db: sqlite3.Connection, since: datetime) -> dict[str, int]:
    """Count the failures of each job since a moment; jobs without failures are left out."""
    query = "SELECT script, count(*) FROM run_log WHERE started_at>=? AND exit_code<>0 GROUP BY script ORDER BY script"
    rows = db.execute(query, (stamp(since),))
    return {str(script): int(count) for script, count in rows}


@dataclass(frozen=True)
class Load:
    """The number of messages, of those waiting for an answer, and the time of the last one."""

    messages: int
    waiting: int
    last_message_at: str | None


def load(db: sqlite3.Connection, since: datetime) -> Load:
    """Return the load of a home since a moment."""
    messages, last = db.execute("SELECT count(*), max(at) FROM turns WHERE at>=?", (stamp(since),)).fetchone()
    [waiting] = db.execute("SELECT count(*) FROM inbox WHERE state IN ('pending', 'processing')").fetchone()
    return Load(messages, waiting, last)
