"""Whether there is a plugin to write or to review.

Returns the reason to run, or None. Only the standard library and the storage are imported here.
"""

import sqlite3
from datetime import datetime

from furoshiki.extensions.plugins.store import jobs
from furoshiki.models.llm.store import waits

PURPOSES = ("plugin_create", "plugin_review")


def plugin_author(db: sqlite3.Connection, now: datetime) -> str | None:
    """Return a reason when a wish waits and models may be asked about it."""
    waiting = jobs.of_states(db, jobs.UNFINISHED, 1)
    if not waiting or any(waits.of(db, one, now) is not None for one in PURPOSES):
        return None
    return "a wish for a plugin waits"
