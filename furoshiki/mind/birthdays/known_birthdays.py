"""Birthdays among the current facts."""

import sqlite3

from furoshiki.memory.store import memories
from furoshiki.mind.birthdays import rules
from furoshiki.mind.birthdays.rules import Birthday

PREDICATE = "birthday"


def birthdays(db: sqlite3.Connection) -> list[Birthday]:
    """Return all readable birthdays, oldest memory first."""
    found = (rules.read(one.id, one.subject or "", one.object or "") for one in memories.with_predicate(db, PREDICATE))
    return [one for one in found if one is not None]
