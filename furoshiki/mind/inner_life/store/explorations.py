"""The times of daytime explorations. Each is stored before the model is asked, so that a failing
model is not asked all day."""

import sqlite3
from datetime import datetime

from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse, stamp

BEGUN = "exploring.begun"

_KEPT = 10


def since(db: sqlite3.Connection, moment: datetime) -> int:
    """Return the number of explorations begun after a time."""
    return sum(parse(one) > moment for one in kv.get(db, BEGUN, ()))


def begin(db: sqlite3.Connection, now: datetime) -> None:
    """Record the start of an exploration."""
    kv.put(db, BEGUN, [*kv.get(db, BEGUN, ()), stamp(now)][-_KEPT:], now)
