"""Items hidden while a question about forgetting them is open."""

import sqlite3
from datetime import datetime, timedelta

from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse

ASKED = "forgetting.asked"
"""The `kv` key of a question waiting for a yes; deleted with the answer."""

ANSWER_WITHIN = timedelta(minutes=15)


def names(db: sqlite3.Connection, now: datetime) -> frozenset[str]:
    """Return the turns and memories ("turn:12") in an open question about forgetting."""
    stored = kv.get(db, ASKED)
    if stored is None or now - parse(stored["at"]) > ANSWER_WITHIN:
        return frozenset()
    return frozenset(stored.get("names", ()))
