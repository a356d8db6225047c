"""The running summary of each conversation: the turns that are no longer in its window."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from furoshiki.core.database.rows import first, from_row, put_row, to_row


@dataclass(frozen=True)
class Summary:
    """The summary of a conversation from turn `first_turn` to turn `last_turn`, written at `at`."""

    channel: str
    chat_id: str
    text: str
    first_turn: int
    last_turn: int
    at: datetime


def get(db: sqlite3.Connection, channel: str, chat_id: str) -> Summary | None:
    """Return the summary of a conversation, None while all turns are in view."""
    query = "SELECT * FROM conversation_summaries WHERE channel=? AND chat_id=?"
    return first(db.execute(query, (channel, chat_id)), partial(from_row, Summary))


def put(db: sqlite3.Connection, summary: Summary) -> None:
    """Store a conversation's summary, replacing the previous one."""
    put_row(db, "conversation_summaries", to_row(summary), "channel", "chat_id")
