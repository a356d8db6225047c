"""What is shown to nobody while it is open whether it is to be forgotten."""

import sqlite3
from datetime import datetime, timedelta

from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse

ASKED = "forgetting.asked"
"""Under this name `kv` keeps a question that waits for a yes; it goes with the answer."""

ANSWER_WITHIN = timedelta(minutes=15)


def names(db: sqlite3.Connection, now: datetime) -> frozenset[str]:
    """The turns and memories ("turn:12") that would go, as long as the question about them waits for its answer."""
    asked = kv.get(db, ASKED)
    if asked is None or now - parse(asked["at"]) > ANSWER_WITHIN:
        return frozenset()
    return frozenset(asked.get("names", ()))
