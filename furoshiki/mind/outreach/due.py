"""Is there anything to say unasked?

Each question returns the reason to run, or None. Only the standard library and the storage are imported here.
"""

import sqlite3
from datetime import datetime

from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse, stamp
from furoshiki.messages.store import outbox, turns
from furoshiki.mind.outreach import matters, reply_queue
from furoshiki.mind.outreach.store import decisions
from furoshiki.owner.agenda.store import mind_queue, tasks

REST = "outreach.rest"
"""Under this name `kv` keeps until when nothing can change by time alone, and the mark of how things stood then."""

_SETTINGS = ("quiet.until", "quiet.hours", "quiet.nap", "user.zone")
"""Keys of `kv` that a gate looks at."""


def reminders(db: sqlite3.Connection, now: datetime) -> str | None:
    """Reminders whose time has come."""
    due = len(tasks.due(db, now))
    return f"{due} reminders are due" if due else None


def producers(db: sqlite3.Connection, now: datetime) -> str | None:
    """There is something for the owner to know or decide that does not wait to be said yet."""
    if reply_queue.has_work(db, now):
        return "a question of its own is answered, or unanswered for long"
    if matters.results(db, now) or next(matters.new(db, now), None) is not None:
        return "there is something to tell or to decide"
    return None


def outreach(db: sqlite3.Connection, now: datetime) -> str | None:
    """Something waits to be said, and something has changed since it was looked at, or time has passed; or there is
    something new."""
    if outbox.has_unprompted(db):
        return "something that was said has not been delivered"
    rest = kv.get(db, REST)
    if rest is None or now >= parse(rest["until"]) or rest["mark"] != _mark(db):
        if mind_queue.candidates(db, now):
            return "something waits to be said"
        if decisions.list_unjudged(db):
            return "it can be told how a message was received"
    return producers(db, now)


def rest(db: sqlite3.Connection, until: datetime, now: datetime) -> None:
    """Nothing can change before then unless something happens."""
    kv.put(db, REST, {"until": stamp(until), "mark": _mark(db)}, now)


def _mark(db: sqlite3.Connection) -> str:
    """Changes whenever something happens that a gate may look at."""
    settings = "/".join(str(kv.get(db, key, "")) for key in _SETTINGS)
    return f"{mind_queue.mark(db)} {turns.newest_id(db)} {settings}"
