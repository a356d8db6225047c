"""Is a backup worth making?

Each question returns the reason to run, or None. Only the standard library and the storage are imported here.
"""

import sqlite3
from datetime import datetime


def backup(_db: sqlite3.Connection, _now: datetime) -> str | None:
    """A backup is worth making whenever it is asked for."""
    return "a backup was asked for"
