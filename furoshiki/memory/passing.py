"""What is on the companion's mind for half an hour, as the next message is shown it."""

import sqlite3
from dataclasses import replace
from datetime import datetime

from furoshiki.core.framing import strip_tags
from furoshiki.memory.store import gists
from furoshiki.memory.store.gists import Gist

SHOWN = 5


def to_show(db: sqlite3.Connection, now: datetime, session_id: str) -> list[Gist]:
    """Notes of this conversation as long as they live; a passing thought once, for it is no theme."""
    return [
        replace(one, text=strip_tags(" ".join(one.text.split())))
        for one in gists.current(db, now, SHOWN)
        if (one.session_id == session_id if one.source_tag == "user" else one.shown_at is None)
    ]
