"""Whether there is anything to judge in the scratch buffer.

Each question returns the reason to run, or None. Only the standard library and the storage are
imported here.
"""

import sqlite3
from datetime import datetime, timedelta

from furoshiki.memory.store import scratch

# the silence after which messages are judged; during a conversation the listener judges them
IDLE = timedelta(minutes=5)


def flush_scratch(db: sqlite3.Connection, now: datetime) -> str | None:
    """Return a reason if items have waited unjudged for five minutes or expire within the hour."""
    waiting = scratch.newest_fresh(db)
    if waiting is not None and now - waiting[1] >= IDLE:
        return f"{waiting[0]} things that were said wait to be judged"
    expiring = scratch.expire_soon(db, now + scratch.LAST_LOOK)
    return f"{expiring} things that waited a day must be decided" if expiring else None
