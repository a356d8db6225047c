"""Check for finished conversations to read. Imports only the standard library and storage."""

import sqlite3
from datetime import datetime, timedelta

from furoshiki.core.database import kv
from furoshiki.messages.store import sessions
from furoshiki.messages.values import SESSION_GAP_SECONDS
from furoshiki.models.llm.store import waits

# minimum silence after which a conversation is finished
QUIET = timedelta(seconds=SESSION_GAP_SECONDS)

READING = "post_conversation"  # the purpose of the model call that reads a session

# the `kv` key set after reading until the follow-up work (profile, context) is done
READING_OWED = "reading.owed"


# the `kv` key of each import's reading progress and limit (see `post_conversation.imported`)
IMPORTS = "told.imports"


def read_imports(db: sqlite3.Connection, now: datetime) -> str | None:
    """Report an import that a model may read."""
    if waits.of(db, "told", now) is not None:
        return None
    owed = any(held["to"] < held["until"] for held in kv.get(db, IMPORTS, {}).values())
    return "an import is to be read" if owed else None


def run_post_conversation(db: sqlite3.Connection, now: datetime) -> str | None:
    """Report unread sessions that were quiet for 20 minutes, or unfinished follow-up work."""
    waiting = len(sessions.to_read(db, now, QUIET))
    if waiting and waits.of(db, READING, now) is None:
        return f"{waiting} sessions are unread"
    return "what follows a reading was cut off" if kv.get(db, READING_OWED) else None
