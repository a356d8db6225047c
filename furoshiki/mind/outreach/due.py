"""Check whether there is anything to say unprompted.

Each function returns the reason to run, or None. Imports only the standard library and storage.
"""

import sqlite3
from datetime import datetime

from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse, stamp
from furoshiki.messages.store import outbox, turns
from furoshiki.mind.outreach import owner_news, reply_queue
from furoshiki.mind.outreach.store import decisions
from furoshiki.owner.agenda.store import mind_queue, tasks

# the `kv` key of the time until which only an event can matter, and of a state mark
REST = "outreach.rest"

# the `kv` keys that gates read
_SETTINGS = ("quiet.until", "quiet.planned", "quiet.hours", "quiet.nap", "user.zone")


def reminders(db: sqlite3.Connection, now: datetime) -> str | None:
    due = len(tasks.due(db, now))
    return f"{due} reminders are due" if due else None


def producers(db: sqlite3.Connection, now: datetime) -> str | None:
    """Report news or a decision for the owner that is not in the queue yet."""
    if reply_queue.has_work(db, now):
        return "a question of its own is answered, or unanswered for long"
    if owner_news.results(db, now) or next(owner_news.new(db, now), None) is not None:
        return "there is something to tell or to decide"
    return None


def outreach(db: sqlite3.Connection, now: datetime) -> str | None:
    """Report that a message waits and that something changed or time passed since the last check,
    or that there is news."""
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
    """Record that nothing can change before `until` unless something happens."""
    kv.put(db, REST, {"until": stamp(until), "mark": _mark(db)}, now)


def _mark(db: sqlite3.Connection) -> str:
    """Return a mark that changes whenever something happens that a gate may read."""
    settings = "/".join(str(kv.get(db, key, "")) for key in _SETTINGS)
    return f"{mind_queue.mark(db)} {turns.newest_id(db)} {settings}"
