"""Requested pictures: ordered, painting, then sent or failed; at most one per turn."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.database.rows import change_rows, find_value, find_values, from_row, insert_if_new
from furoshiki.core.framing import clean
from furoshiki.core.timestamps import stamp


@dataclass(frozen=True)
class Ordered:
    """A picture: its subject and caption in words, and the chat; `own`: it shows the companion
    itself. `model` and `usd` are known once it is being generated."""

    id: int
    turn_key: str
    channel: str
    chat_id: str
    subject: str
    caption: str
    own: bool
    state: str
    model: str | None
    usd: float | None
    created_at: datetime


def order(
    db: sqlite3.Connection, turn_key: str, chat: tuple[str, str], said: tuple[str, str], own: bool, now: datetime
) -> bool:
    """Order a picture for a chat (channel, id): `said` is its subject and caption. Return False if
    the turn has ordered one already."""
    place = {"turn_key": turn_key, "channel": chat[0], "chat_id": chat[1]}
    row = {**place, "subject": said[0], "caption": said[1], "own": own, "created_at": now}
    return insert_if_new(db, "pictures", row) is not None


def list_in_state(db: sqlite3.Connection, state: str) -> list[Ordered]:
    """List the ordered pictures in a state, oldest first."""
    rows = db.execute("SELECT * FROM pictures WHERE state=? ORDER BY id", (state,))
    return [from_row(Ordered, row, own=bool(row["own"])) for row in rows]


def claim(db: sqlite3.Connection, picture_id: int, model: str, usd: float) -> bool:
    """Mark an ordered picture as being generated, at an estimated cost in USD; return False if it
    is not ordered any more."""
    query = "UPDATE pictures SET state='painting', model=?, usd=? WHERE id=? AND state='ordered'"
    return change_rows(db, query, model, usd, picture_id) == 1


def finish(db: sqlite3.Connection, picture_id: int, usd: float, now: datetime) -> None:
    """Record that a picture was sent, and its cost in USD."""
    db.execute("UPDATE pictures SET state='sent', usd=?, finished_at=? WHERE id=?", (usd, stamp(now), picture_id))


def fail(db: sqlite3.Connection, picture_id: int, reason: str, now: datetime) -> None:
    """Record that a picture failed, with the reason."""
    query = "UPDATE pictures SET state='failed', reason=?, finished_at=? WHERE id=?"
    db.execute(query, (clean(reason)[:300], stamp(now), picture_id))


def ordered_since(db: sqlite3.Connection, since: datetime) -> int:
    """Return how many were ordered since a time, in any state."""
    return int(find_value(db, "SELECT count(*) FROM pictures WHERE created_at>=?", stamp(since)))


def ids(db: sqlite3.Connection) -> set[int]:
    """Return the ids of all rows."""
    return set(find_values(db, "SELECT id FROM pictures"))
