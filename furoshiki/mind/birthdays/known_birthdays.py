"""Birthdays among the current facts."""

import sqlite3

from furoshiki.memory.store import memories
from furoshiki.mind.birthdays import rules
from furoshiki.mind.birthdays.rules import Birthday

PREDICATE = "birthday"


def birthdays(db: sqlite3.Connection) -> list[Birthday]:
    """Return all readable birthdays, oldest memory first."""
    found = (
        rules.read(memory.id, memory.subject or "", memory.object or "")
        for memory in memories.with_predicate(db, PREDICATE)
    )
    return [birthday for birthday in found if birthday is not None]
