"""Whether the profile must be updated.

Each question returns the reason to run, or None. Only the standard library and the storage are
imported here.
"""

import sqlite3
from datetime import datetime

from furoshiki.owner.user_model.store import profiles


def refine_user_profile(db: sqlite3.Connection, now: datetime) -> str | None:
    """Return a reason if the profile lacks facts or sessions, or its files are not written."""
    profile = profiles.find_profile(db)
    if profile is not None and profile.unwritten:
        return "the profile's files are not written yet"
    if profiles.input_of(db, now) != profiles.read_input(profile):
        return "what is known of the user has changed"
    return None
