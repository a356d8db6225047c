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
    asked = kv.get(db, ASKED)
    if asked is None or now - parse(asked["at"]) > ANSWER_WITHIN:
        return frozenset()
    return frozenset(asked.get("names", ()))
