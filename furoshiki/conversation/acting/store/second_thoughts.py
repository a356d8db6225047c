"""Figures of answers with triggers, and the results of second thoughts. No text."""

import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from furoshiki.core.database.rows import Table, find_value, from_row, has_row, insert, insert_if_new, load, marks
from furoshiki.core.framing import clean
from furoshiki.core.similarity import Vector, halves, of_halves
from furoshiki.core.timestamps import stamp

_FIGURES = ("objective", "knowing", "confidence", "threshold", "maturity", "latency_ms", "cost_usd")


def add(db: sqlite3.Connection, turn_key: str, checked: Mapping[str, Any], now: datetime) -> None:
    """Store a check, once per turn."""
    row = {
        "turn_key": turn_key,
        **{name: checked[name] for name in _FIGURES},
        "triggers": checked["triggers"],
        "passes": checked["passes"],
        "changed": bool(checked["changed"]),
        "at": now,
    }
    insert_if_new(db, "second_thoughts", row)


def count_since(db: sqlite3.Connection, since: datetime) -> int:
    """Return how many answers were reconsidered by a model since a time."""
    return int(find_value(db, "SELECT count(*) FROM second_thoughts WHERE at>? AND passes!='[]'", stamp(since)))


@dataclass(frozen=True)
class Checked:
    """An answer with triggers: its confidence and the threshold, both in [0, 1]. `passes` lists the
    model calls; `latency_ms` their total time."""

    id: int
    turn_key: str
    confidence: float
    threshold: float
    triggers: tuple[str, ...]
    passes: tuple[object, ...]
    changed: bool
    latency_ms: float
    cost_usd: float
    at: datetime


def newest(db: sqlite3.Connection, limit: int) -> list[Checked]:
    """Return the newest `limit` checks, newest first."""
    rows = db.execute("SELECT * FROM second_thoughts ORDER BY id DESC LIMIT ?", (limit,))
    return [from_row(Checked, row, passes=tuple(load(row["passes"]))) for row in rows]


HEAVY = 0.7  # a memory with a centre above this is part of the companion's identity


def density(db: sqlite3.Connection) -> float:
    """Return the density of identity in [0, 1]: the mean centre of heavy memories, 0 without any.
    Immutable memories were given and show no development, so they are left out."""
    middle = "alpha/(alpha+beta)"
    query = (
        f"SELECT avg({middle}) FROM memories INDEXED BY memories_weighed "  # noqa: S608
        f"WHERE status='active' AND immutable=0 AND {middle} > ?"
    )
    found = find_value(db, query, HEAVY)
    return float(found or 0.0)


# -- corrections of its own answers, shown before it answers similar messages --
#
# A correction is deleted with its turn.


CORRECTION = "correction"

NEWEST = 12  # number of newest corrections compared by meaning

BY_WORDS = 24
# number of corrections found by shared words, and of the message's words used for that
MOST_WORDS = 8

LONGEST = 400  # maximum characters stored of a correction and of its subject


@dataclass(frozen=True)
class Kept:
    """A correction: its subject, the advice, and the subject's vector by some encoder. `shown`
    counts how often a model saw it."""

    id: int
    focus: str
    text: str
    vector: tuple[float, ...] = ()
    model: str | None = None
    shown: int = 0
    created_at: str = ""


def _read(row: sqlite3.Row) -> Kept:
    blob = row["embedding"]
    return from_row(Kept, row, vector=of_halves(blob) if blob else (), model=row["embed_model"])


_TABLE = Table("reflection_bank", _read)
newest_corrections = _TABLE.newest


def keep_correction(
    db: sqlite3.Connection, focus: str, text: str, turn_id: int, vector: Vector, model: str | None, now: datetime
) -> None:
    """Store a correction, once per turn. `vector` is that of `focus`, empty if unavailable."""
    if has_row(db, "SELECT 1 FROM reflection_bank WHERE turn_id=?", turn_id):
        return
    blob = halves(vector) if vector and model else None
    row = {
        "type": CORRECTION,
        "focus": clean(focus)[:LONGEST],
        "text": clean(text)[:LONGEST],
        "turn_id": turn_id,
        "embedding": blob,
        "embed_model": model if blob else None,
        "created_at": now,
    }
    insert(db, "reflection_bank", row)


def perhaps_near(db: sqlite3.Connection, words: Sequence[str]) -> list[Kept]:
    """Return corrections that share a word with the message, and the newest."""
    sharing = [f"%{word}%" for word in words[:MOST_WORDS]]
    found = _TABLE.select(db, "type=? ORDER BY id DESC LIMIT ?", CORRECTION, NEWEST)
    if sharing:
        like = " OR ".join(["focus || ' ' || text LIKE ?"] * len(sharing))
        where = f"type=? AND ({like}) ORDER BY id DESC LIMIT ?"
        found = [*_TABLE.select(db, where, CORRECTION, *sharing, BY_WORDS), *found]
    return list({kept.id: kept for kept in found}.values())


def record_use(db: sqlite3.Connection, ids: Collection[int], now: datetime) -> None:
    """Count that a model was shown these corrections."""
    question = f"UPDATE reflection_bank SET shown=shown+1, shown_at=? WHERE id IN ({marks(list(ids))})"  # noqa: S608
    db.execute(question, (stamp(now), *ids))
