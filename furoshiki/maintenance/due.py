"""Whether a backup is due.

Returns the reason to run, or None. Only the standard library and the storage are imported here.
"""

import sqlite3
from datetime import datetime


def backup(_db: sqlite3.Connection, _now: datetime) -> str | None:
    """Return a reason in any case: a backup is made whenever requested."""
    return "a backup was asked for"
