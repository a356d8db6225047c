"""Whether the owner asked for quiet. An unreadable database counts as no: its alert must go out."""

import json
import sqlite3
from datetime import datetime

from doctor_checks import database, files
from doctor_checks.look import Look

KEY = "quiet.until"  # the key in `kv` of the end of the quiet


def until(look: Look) -> datetime | None:
    """Return the end of the quiet (aware, UTC); None without one, and for hosts."""
    if look.place.is_host:
        return None
    try:
        with database.reading(look.place.database) as db:
            row = db.execute("SELECT value FROM kv WHERE key=?", (KEY,)).fetchone()
        end = None if row is None else files.moment(json.loads(row["value"]))
    except (database.Damaged, database.Unreadable, sqlite3.Error, ValueError, RecursionError):
        return None
    return end if end is not None and end > look.now else None
