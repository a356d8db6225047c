"""Check for a near birthday that is not queued, or a past one that still is.

Returns the reason to look, or None. The time zone is unknown here, so all current dates count.
"""

import sqlite3
from datetime import datetime, timedelta

from furoshiki.memory.store import memories
from furoshiki.mind.birthdays import rules
from furoshiki.mind.birthdays.rules import Birthday
from furoshiki.owner.agenda.store import mind_queue

ANYWHERE = timedelta(hours=14)  # maximum distance of a local clock from UTC


def look_ahead(db: sqlite3.Connection, now: datetime) -> str | None:
    """Report a near birthday, or a past one that still waits."""
    first, last = (now - ANYWHERE).date(), (now + ANYWHERE).date()
    near = {rules.key(one, on) for one, on in rules.near(birthdays(db), first, last)}
    if near - mind_queue.keys(db, rules.KEY):
        return "a birthday comes near"
    return "a birthday is over" if mind_queue.list_keys(db, rules.KEY).keys() - near else None


def birthdays(db: sqlite3.Connection) -> list[Birthday]:
    """Return all readable birthdays among the current facts, oldest memory first."""
    found = (
        rules.read(memory.id, memory.subject or "", memory.object or "")
        for memory in memories.with_predicate(db, "birthday")
    )
    return [birthday for birthday in found if birthday is not None]
