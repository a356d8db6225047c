"""Short-lived thoughts (half an hour) that are shown to the model with the next message."""

import sqlite3
from dataclasses import replace
from datetime import datetime

from furoshiki.core.framing import strip_tags
from furoshiki.memory.store import gists
from furoshiki.memory.store.gists import Gist

SHOWN = 5


def to_show(db: sqlite3.Connection, now: datetime, session_id: str) -> list[Gist]:
    """Return this conversation's notes while they last; a passing thought only once."""
    return [
        replace(gist, text=strip_tags(" ".join(gist.text.split())))
        for gist in gists.current(db, now, SHOWN)
        if (gist.session_id == session_id if gist.source_tag == "user" else gist.shown_at is None)
    ]
