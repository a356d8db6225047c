"""Whether there is an error to diagnose.

Returns the reason to run, or None. Only the standard library and the storage are imported here.
"""

import sqlite3
from datetime import datetime

from furoshiki.core import paths
from furoshiki.extensions.repair import noticing, store
from furoshiki.extensions.repair.rules.recurring import QUIET


def repair_dispatcher(db: sqlite3.Connection, now: datetime) -> str | None:
    """Return a reason when an error waits, recurs, or has stopped."""
    if store.of_states(db, ("queued",), 1):
        return "an error waits to be looked into"
    if noticing.fresh(db, paths.data_dir(), now):
        return "an error came back"
    if store.read_stopped(db, now - QUIET):
        return "an error that was looked into has stopped"
    return None
