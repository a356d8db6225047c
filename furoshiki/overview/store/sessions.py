"""Conversations by session, the newest first: when, how much, where, about what."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.database.rows import load
from furoshiki.core.timestamps import parse
from furoshiki.messages.store.turns import SAID_HERE


@dataclass(frozen=True)
class Session:
    """What was said between two silences. `topics` are known when it is over and has been read."""

    session_id: str
    started_at: datetime
    ended_at: datetime
    turns: int
    channels: tuple[str, ...]
    topics: tuple[str, ...]
    first_turn: int


def newest(db: sqlite3.Connection, before: int | None, limit: int) -> list[Session]:
    """The sessions that ended last, of those that began before turn `before`; two look-ups of an index for each."""
    found: list[Session] = []
    at = before
    while len(found) < limit:
        below = "" if at is None else "AND id<:at "
        row = db.execute(
            f"SELECT session_id FROM {SAID_HERE} {below}AND replaced_by IS NULL ORDER BY id DESC LIMIT 1",  # noqa: S608 - our own words
            {"at": at},
        ).fetchone()
        if row is None:
            return found
        found.append(one := _session(db, row["session_id"]))
        at = one.first_turn
    return found


def _session(db: sqlite3.Connection, session_id: str) -> Session:
    row = db.execute(
        "SELECT min(id) AS first, min(at) AS began, max(at) AS ended, count(*) AS turns, "
        "group_concat(DISTINCT channel) AS channels FROM turns WHERE session_id=? AND +source='live' "
        "AND replaced_by IS NULL",
        (session_id,),
    ).fetchone()
    read = db.execute("SELECT topics FROM sessions WHERE session_id=?", (session_id,)).fetchone()
    return Session(
        session_id,
        parse(row["began"]),
        parse(row["ended"]),
        row["turns"],
        tuple(sorted(row["channels"].split(","))),
        tuple(load(read["topics"]) or ()) if read is not None else (),
        row["first"],
    )
