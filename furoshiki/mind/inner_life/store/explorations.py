"""When the companion looked into what it was curious about by day. Each is noted before anybody is asked, so that a
mind which never answers is not asked all day."""

import sqlite3
from datetime import datetime

from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse, stamp

BEGUN = "exploring.begun"

_KEPT = 10


def since(db: sqlite3.Connection, moment: datetime) -> int:
    """How many explorations were begun after a moment."""
    return sum(parse(one) > moment for one in kv.get(db, BEGUN, ()))


def begin(db: sqlite3.Connection, now: datetime) -> None:
    """One more is begun."""
    kv.put(db, BEGUN, [*kv.get(db, BEGUN, ()), stamp(now)][-_KEPT:], now)
