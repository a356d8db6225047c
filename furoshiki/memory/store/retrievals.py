"""What came to mind in each turn, what of it was put before the mind, and whether the answer made use of it.

Written once a turn, after it. Consolidation learns from it: what was injected and never used, what was nearly of use
again and again, and which voices spoke for what was.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from furoshiki.core.database.rows import dump, from_row, load
from furoshiki.core.timestamps import parse, stamp


@dataclass(frozen=True)
class Retrieval:
    """One thing that came to mind. `item` is "turn:12" or "memory:3"; `rank` its place in the ranking from 1, 0 when
    it came by association. `voices` are the parts of its relevance, each in [0, 1]."""

    item: str
    rank: int
    injected: bool
    used: bool = False
    voices: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """What became of one retrieval."""

    turn_key: str
    at: datetime
    retrieval: Retrieval


def record(db: sqlite3.Connection, turn_key: str, retrieved: Iterable[Retrieval], at: datetime) -> int:
    """Keep what came to mind in a turn; what is on record already stays as it is. Returns how many rows are new."""
    rows = [
        (
            turn_key,
            one.item,
            one.rank,
            one.injected,
            one.used,
            dump(dict(one.voices)) if one.voices else None,
            stamp(at),
        )
        for one in retrieved
    ]
    question = (
        "INSERT INTO retrievals (turn_key, item, rank, injected, used, components, at) VALUES (?, ?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (turn_key, item) DO NOTHING"
    )
    return sum(db.execute(question, row).rowcount for row in rows)


def is_recorded(db: sqlite3.Connection, turn_key: str) -> bool:
    """Whether a turn's retrievals are on record."""
    return db.execute("SELECT 1 FROM retrievals WHERE turn_key=? LIMIT 1", (turn_key,)).fetchone() is not None


def outcomes(db: sqlite3.Connection, since: datetime, limit: int = 10_000) -> list[Outcome]:
    """The newest things injected since a moment, oldest first: used or not, with the voices that spoke for them."""
    rows = db.execute(
        "SELECT * FROM retrievals WHERE at>? AND injected=1 ORDER BY at DESC, id DESC LIMIT ?", (stamp(since), limit)
    ).fetchall()
    return [Outcome(row["turn_key"], parse(row["at"]), _retrieval(row)) for row in reversed(rows)]


@dataclass(frozen=True)
class Usefulness:
    """How often a thing was of use: the days on which an answer made use of it, and how often it was shown and used."""

    days: tuple[str, ...] = ()
    shown: int = 0
    used: int = 0


def usefulness(db: sqlite3.Connection, item: str) -> Usefulness:
    """How often a thing was shown and used, and on which days (UTC, in order) it was used."""
    rows = db.execute(
        "SELECT substr(at, 1, 10) AS day, count(*) AS shown, sum(used) AS used FROM retrievals "
        "WHERE item=? AND injected=1 GROUP BY day ORDER BY day",
        (item,),
    ).fetchall()
    days = tuple(row["day"] for row in rows if row["used"])
    return Usefulness(days, sum(row["shown"] for row in rows), sum(row["used"] for row in rows))


def count_usage(db: sqlite3.Connection, since: datetime) -> tuple[int, int]:
    """How many memories were put before the mind since a moment, each time counted, and how many of them were used."""
    row = db.execute(
        "SELECT count(*) AS shown, coalesce(sum(used), 0) AS used FROM retrievals "
        "WHERE at>? AND injected=1 AND item GLOB 'memory:*'",
        (stamp(since),),
    ).fetchone()
    return row["shown"], row["used"]


def _retrieval(row: sqlite3.Row) -> Retrieval:
    voices = load(row["components"]) or {}
    return from_row(Retrieval, row, voices=voices)
