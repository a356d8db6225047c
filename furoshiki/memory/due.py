"""Is there anything to judge of what was said?

Each question returns the reason to run, or None. Only the standard library and the storage are imported here.
"""

import sqlite3
from datetime import datetime, timedelta

from furoshiki.memory.store import scratch

IDLE = timedelta(minutes=5)
"""After so long a silence what was said is judged; during a conversation the listener does it."""


def flush_scratch(db: sqlite3.Connection, now: datetime) -> str | None:
    """Things said that nobody has looked at for five minutes, or that will expire within the hour."""
    found = scratch.newest_fresh(db)
    if found is not None and now - found[1] >= IDLE:
        return f"{found[0]} things that were said wait to be judged"
    expiring = scratch.expire_soon(db, now + scratch.LAST_LOOK)
    return f"{expiring} things that waited a day must be decided" if expiring else None
