"""Whether a forgetting is unfinished.

Returns the reason to run, or None. Only the standard library and the storage are imported here.
"""

import sqlite3
from datetime import datetime

from furoshiki.core.database import kv

FORGETTING = "forgetting.plan"  # `kv` key of the remaining steps of a forgetting


def find_unfinished(db: sqlite3.Connection, _now: datetime) -> str | None:
    """Return a reason when a forgetting was interrupted."""
    return None if kv.get(db, FORGETTING) is None else "something is not wholly forgotten yet"
