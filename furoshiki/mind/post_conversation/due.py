"""Is there a finished conversation to read? Only the standard library and the storage are imported here."""

import sqlite3
from datetime import datetime, timedelta

from furoshiki.core.database import kv
from furoshiki.messages.store import sessions
from furoshiki.messages.values import SESSION_GAP_SECONDS
from furoshiki.models.llm.store import waits

QUIET = timedelta(seconds=SESSION_GAP_SECONDS)
"""How long a conversation must have been quiet to be over."""

READING = "post_conversation"
"""The purpose of the question by which a session is read."""

READING_OWED = "reading.owed"
"""Under this name `kv` keeps that sessions were read and what follows from it (profile, context) was not done yet."""


IMPORTS = "told.imports"
"""Under this name `kv` keeps of each import how far it was read, and may be (see `post_conversation.imported`)."""


def read_imports(db: sqlite3.Connection, now: datetime) -> str | None:
    """Something that was taken in, and that a mind may read."""
    if waits.of(db, "told", now) is not None:
        return None
    owed = any(held["to"] < held["until"] for held in kv.get(db, IMPORTS, {}).values())
    return "an import is to be read" if owed else None


def run_post_conversation(db: sqlite3.Connection, now: datetime) -> str | None:
    """Sessions that have been quiet for 20 minutes and were not read yet, or a reading that was cut off at its end."""
    waiting = len(sessions.to_read(db, now, QUIET))
    if waiting and waits.of(db, READING, now) is None:
        return f"{waiting} sessions are unread"
    return "what follows a reading was cut off" if kv.get(db, READING_OWED) else None
