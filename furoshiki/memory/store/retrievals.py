"""The items retrieved in each turn, which were injected, and whether the answer used them.

Written once after each turn. Consolidation learns from it: injected items never used, repeated near
misses, and the parts of relevance of used items.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from furoshiki.core.database.rows import dump, from_row, has_row, load
from furoshiki.core.timestamps import parse, stamp


@dataclass(frozen=True)
class Retrieval:
    """A retrieved item. `item` is "turn:12" or "memory:3"; `rank` its place in the ranking from 1,
    0 if found by association. `voices` are the parts of its relevance, each in [0, 1]."""

    item: str
    rank: int
    injected: bool
    used: bool = False
    voices: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """One retrieval with its turn and time."""

    turn_key: str
    at: datetime
    retrieval: Retrieval


def record(db: sqlite3.Connection, turn_key: str, retrieved: Iterable[Retrieval], at: datetime) -> int:
    """Store a turn's retrievals, leaving stored ones unchanged; return the number of new rows."""
    rows = [
        (
            turn_key,
            retrieval.item,
            retrieval.rank,
            retrieval.injected,
            retrieval.used,
            dump(dict(retrieval.voices)) if retrieval.voices else None,
            stamp(at),
        )
        for retrieval in retrieved
    ]
    question = (
        "INSERT INTO retrievals (turn_key, item, rank, injected, used, components, at) VALUES (?, ?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (turn_key, item) DO NOTHING"
    )
    return sum(db.execute(question, row).rowcount for row in rows)


def is_recorded(db: sqlite3.Connection, turn_key: str) -> bool:
    """Whether a turn's retrievals are stored."""
    return has_row(db, "SELECT 1 FROM retrievals WHERE turn_key=? LIMIT 1", turn_key)


def outcomes(db: sqlite3.Connection, since: datetime, limit: int = 10_000) -> list[Outcome]:
    """Return the latest injected items since a time, oldest first, at most `limit`."""
    query = "SELECT * FROM retrievals WHERE at>? AND injected=1 ORDER BY at DESC, id DESC LIMIT ?"
    rows = db.execute(query, (stamp(since), limit)).fetchall()
    return [Outcome(row["turn_key"], parse(row["at"]), _retrieval(row)) for row in reversed(rows)]


@dataclass(frozen=True)
class Usefulness:
    """The days on which an item was used, and how often it was shown and used."""

    days: tuple[str, ...] = ()
    shown: int = 0
    used: int = 0


def usefulness(db: sqlite3.Connection, item: str) -> Usefulness:
    """Return how often an item was shown and used, and the days of use (UTC, in order)."""
    rows = db.execute(
        "SELECT substr(at, 1, 10) AS day, count(*) AS shown, sum(used) AS used FROM retrievals "
        "WHERE item=? AND injected=1 GROUP BY day ORDER BY day",
        (item,),
    ).fetchall()
    days = tuple(row["day"] for row in rows if row["used"])
    return Usefulness(days, sum(row["shown"] for row in rows), sum(row["used"] for row in rows))


def count_usage(db: sqlite3.Connection, since: datetime) -> tuple[int, int]:
    """Return how often memories were injected since a time, and how often they were used."""
    row = db.execute(
        "SELECT count(*) AS shown, coalesce(sum(used), 0) AS used FROM retrievals "
        "WHERE at>? AND injected=1 AND item GLOB 'memory:*'",
        (stamp(since),),
    ).fetchone()
    return row["shown"], row["used"]


def _retrieval(row: sqlite3.Row) -> Retrieval:
    voices = load(row["components"]) or {}
    return from_row(Retrieval, row, voices=voices)
