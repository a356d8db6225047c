"""Whether the owner asked for quiet. A database that cannot be read knows of none: that is told."""

import json
import sqlite3
from datetime import datetime

from doctor_checks import database, files
from doctor_checks.look import Look

KEY = "quiet.until"
"""Under this name the program keeps the end of the quiet in `kv`."""


def until(look: Look) -> datetime | None:
    """The end of the quiet (aware, UTC); None without one, and on a host, whose operator asked for none."""
    if look.place.is_host:
        return None
    try:
        with database.reading(look.place.database) as db:
            row = db.execute("SELECT value FROM kv WHERE key=?", (KEY,)).fetchone()
        end = None if row is None else files.moment(json.loads(row["value"]))
    except (database.Damaged, database.Unreadable, sqlite3.Error, ValueError, RecursionError):
        return None
    return end if end is not None and end > look.now else None
