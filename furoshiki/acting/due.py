"""Is there anything that asks for attention while nobody writes?

The question returns the reason to run, or None. Only the standard library and the storage are imported here.
"""

from __future__ import annotations

import sqlite3
from datetime import datetime

from furoshiki.agenda.store import mind_queue


def attend(db: sqlite3.Connection, _now: datetime) -> str | None:
    """Something waits to be said."""
    return "something is on its mind" if mind_queue.count_pending(db) else None
