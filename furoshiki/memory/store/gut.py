"""The points and directions of gut feeling, what was felt in each turn, and the axes found in it.

Everything belongs to one encoder: what another one made is not seen.
"""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.similarity import Vector
from furoshiki.core.timestamps import parse, stamp
from furoshiki.memory.rules.gut import Gut, UsualFeelings
from furoshiki.memory.store.memories import OF_IDENTITY
from furoshiki.recall.retrieval.store.vectors import numbers

READ_AT_ONCE = 2000

_WITH_VECTOR = "embed_model=? AND embedding IS NOT NULL"
_OF_IDENTITY = f"memories INDEXED BY memories_of_identity WHERE status='active' AND ({OF_IDENTITY})"
_PARTS = {
    "identity": f"{_OF_IDENTITY} AND coalesce(category, '')!='goal' AND (immutable=1 OR source_tag!='external_user')",
    "goals": f"{_OF_IDENTITY} AND category='goal'",
    "everything": "memories WHERE +status='active'",
}
"""What the subconscious is made of. Identity is the companion's own, as for injection; goals are anybody's.

The plus keeps SQLite from sorting all active memories by an index of their states to find the newest few."""

PARTS = tuple(_PARTS)


@dataclass(frozen=True)
class Felt:
    """One row of the log. `outcome`, in [-1, 1], is None until something was said after it."""

    turn_key: str | None
    delta: bytes
    outcome: float | None


@dataclass(frozen=True)
class Noted:
    """One row of the log for somebody who looks at it: what was felt, what was done, and how that went."""

    at: datetime
    intensity: float
    valence: float
    action: str
    outcome: float | None


@dataclass(frozen=True)
class Axis:
    """A direction in which feelings differ: its share of their variance, and how it goes with outcomes.

    `correlation` is None when there were too few outcomes, `name` when it means nothing.
    """

    number: int
    vector: tuple[float, ...]
    share: float
    correlation: float | None
    name: str | None


def keep(db: sqlite3.Connection, name: str, vector: Vector, model: str, at: datetime) -> None:
    """Keep a centroid or a direction under its name, in place of what was there."""
    db.execute(
        "INSERT INTO centroids (name, vector, model, at) VALUES (?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET "
        "vector=excluded.vector, model=excluded.model, at=excluded.at",
        (name, _packed(vector), model, stamp(at)),
    )


def drop(db: sqlite3.Connection, name: str) -> None:
    """Forget a centroid or a direction."""
    db.execute("DELETE FROM centroids WHERE name=?", (name,))


def kept(db: sqlite3.Connection, name: str, model: str) -> tuple[float, ...] | None:
    """A centroid or direction, None when there is none of this encoder."""
    row = db.execute("SELECT vector FROM centroids WHERE name=? AND model=?", (name, model)).fetchone()
    return None if row is None else numbers(row["vector"])


def part(db: sqlite3.Connection, name: str, model: str) -> Iterator[list[tuple[bytes, float]]]:
    """The vectors of one part of the subconscious with their importance, some thousands at a time."""
    rows = db.execute(
        f"SELECT embedding, importance FROM {_PARTS[name]} AND {_WITH_VECTOR} ORDER BY id",  # noqa: S608
        (model,),
    )
    while found := rows.fetchmany(READ_AT_ONCE):
        yield [(row["embedding"], float(row["importance"])) for row in found]


def newest_of_part(db: sqlite3.Connection, name: str, model: str, limit: int) -> list[tuple[tuple[float, ...], float]]:
    """The newest vectors of one part with their importance."""
    rows = db.execute(
        f"SELECT embedding, importance FROM {_PARTS[name]} AND {_WITH_VECTOR} "  # noqa: S608
        "ORDER BY id DESC LIMIT ?",
        (model, limit),
    )
    return [(numbers(row["embedding"]), float(row["importance"])) for row in rows]


def any_vector(db: sqlite3.Connection) -> bool:
    """Whether any memory has a vector, by whichever encoder."""
    question = "SELECT 1 FROM memories WHERE index_state IN ('embedded', 'indexed') LIMIT 1"
    return db.execute(question).fetchone() is not None


def said_since(
    db: sqlite3.Connection, model: str, since: datetime, limit: int
) -> list[tuple[tuple[float, ...], datetime, str | None]]:
    """The vectors of what was said after a moment, newest first, each with its time and turn."""
    rows = db.execute(
        "SELECT embedding, at, turn_key FROM turns WHERE at>? AND embed_model=? AND embedding IS NOT NULL "
        "AND replaced_by IS NULL AND +source='live' ORDER BY at DESC, id DESC LIMIT ?",
        (stamp(since), model, limit),
    )
    return [(numbers(row["embedding"]), parse(row["at"]), row["turn_key"]) for row in rows]


def log(db: sqlite3.Connection, turn_key: str, gut: Gut, action: str, at: datetime) -> bool:
    """Write down what was felt in a turn and what was done; False when that is on record already."""
    if gut.model is None or db.execute("SELECT 1 FROM gut_log WHERE turn_key=? LIMIT 1", (turn_key,)).fetchone():
        return False
    db.execute(
        "INSERT INTO gut_log (at, turn_key, model, delta, intensity, valence, action) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (stamp(at), turn_key, gut.model, _packed(gut.delta), gut.intensity, gut.valence, action),
    )
    return True


def judge(db: sqlite3.Connection, channel: str, chat_id: str, turn_key: str, since: datetime, outcome: float) -> bool:
    """What was said in `turn_key` tells how the turn right before it in this conversation went.

    False when that is known already, was before `since`, or nothing was felt in it.
    """
    before = db.execute(
        "SELECT turn_key FROM turns WHERE channel=? AND chat_id=? AND turn_key IS NOT NULL AND turn_key!=? "
        "ORDER BY id DESC LIMIT 1",
        (channel, chat_id, turn_key),
    ).fetchone()
    if before is None:
        return False
    done = db.execute(
        "UPDATE gut_log SET outcome=? WHERE turn_key=? AND at>=? AND outcome IS NULL",
        (outcome, before["turn_key"], stamp(since)),
    )
    return done.rowcount == 1


def usual(db: sqlite3.Connection, model: str, limit: int = 100) -> UsualFeelings:
    """What the latest feelings were like, and whether they were right."""
    rows = db.execute(
        "SELECT intensity, valence, outcome FROM gut_log WHERE model=? ORDER BY id DESC LIMIT ?", (model, limit)
    ).fetchall()
    return UsualFeelings.of([(row["intensity"], row["valence"], row["outcome"]) for row in rows])


def felt(db: sqlite3.Connection, model: str, limit: int) -> list[Felt]:
    """The latest feelings, newest first."""
    rows = db.execute(
        "SELECT turn_key, delta, outcome FROM gut_log WHERE model=? ORDER BY id DESC LIMIT ?", (model, limit)
    )
    return [Felt(row["turn_key"], row["delta"], row["outcome"]) for row in rows]


def latest(db: sqlite3.Connection, limit: int) -> list[Noted]:
    """The latest feelings as they were written down, newest first, whichever encoder they are of."""
    rows = db.execute("SELECT at, intensity, valence, action, outcome FROM gut_log ORDER BY id DESC LIMIT ?", (limit,))
    return [Noted(parse(row["at"]), row["intensity"], row["valence"], row["action"], row["outcome"]) for row in rows]


def prune(db: sqlite3.Connection, keep: int) -> int:
    """Drop all but the newest rows of the log; returns how many went."""
    return db.execute(
        "DELETE FROM gut_log WHERE id <= (SELECT id FROM gut_log ORDER BY id DESC LIMIT 1 OFFSET ?)", (keep,)
    ).rowcount


def replace_axes(db: sqlite3.Connection, axes: Sequence[Axis], model: str, at: datetime) -> None:
    """The axes found last take the place of those before."""
    db.execute("DELETE FROM gut_axes")
    db.executemany(
        "INSERT INTO gut_axes (number, vector, model, share, correlation, name, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (axis.number, _packed(axis.vector), model, axis.share, axis.correlation, axis.name, stamp(at))
            for axis in axes
        ],
    )


def axes(db: sqlite3.Connection, model: str, named: bool = False) -> list[Axis]:
    """The axes in order of their share; with `named` only those that mean something."""
    rows = db.execute(
        "SELECT * FROM gut_axes WHERE model=? AND (name IS NOT NULL OR ?=0) ORDER BY number", (model, named)
    )
    return [Axis(row["number"], numbers(row["vector"]), row["share"], row["correlation"], row["name"]) for row in rows]


def _packed(vector: Vector) -> bytes:
    return struct.pack(f"<{len(vector)}e", *vector)
