"""Is a birthday near that has not come to mind, or one over that still waits to be said?

The question returns the reason to look, or None. It knows no time zone, so it asks for every day that it is anywhere.
"""

import sqlite3
from datetime import datetime, timedelta

from furoshiki.mind.birthdays import known_birthdays, rules
from furoshiki.owner.agenda.store import mind_queue

ANYWHERE = timedelta(hours=14)
"""So far a clock on the wall may be from UTC."""


def look_ahead(db: sqlite3.Connection, now: datetime) -> str | None:
    """A birthday that comes near, or one that is over and still waits."""
    first, last = (now - ANYWHERE).date(), (now + ANYWHERE).date()
    near = {rules.key(one, on) for one, on in rules.near(known_birthdays.birthdays(db), first, last)}
    if near - mind_queue.keys(db, rules.KEY):
        return "a birthday comes near"
    return "a birthday is over" if mind_queue.list_keys(db, rules.KEY).keys() - near else None
