"""Is there anything left to forget?

Each question returns the reason to run, or None. Only the standard library and the storage are imported here.
"""

import sqlite3
from datetime import datetime

from furoshiki.core.database import kv

FORGETTING = "forgetting.plan"
"""Under this name `kv` keeps what of a forgetting is still to be done."""


def find_unfinished(db: sqlite3.Connection, _now: datetime) -> str | None:
    """A forgetting that was cut off."""
    return None if kv.get(db, FORGETTING) is None else "something is not wholly forgotten yet"
