"""Is there anything new to know about the user?

Each question returns the reason to run, or None. Only the standard library and the storage are imported here.
"""

import sqlite3
from datetime import datetime

from furoshiki.owner.user_model.store import profiles


def refine_user_profile(db: sqlite3.Connection, now: datetime) -> str | None:
    """Something about the user, or in the last conversations, that the profile does not know; or files of it that were
    not written yet."""
    found = profiles.find_profile(db)
    if found is not None and found.unwritten:
        return "the profile's files are not written yet"
    if profiles.input_of(db, now) != profiles.read_input(found):
        return "what is known of the user has changed"
    return None
