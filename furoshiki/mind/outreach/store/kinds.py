"""How each kind of unprompted message is received: its weight and the number of each outcome."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.timestamps import stamp
from furoshiki.mind.outreach.rules.laws import OUTCOMES


@dataclass(frozen=True)
class Kind:
    """A kind of message. `weight` is 1 when nothing is known."""

    name: str
    weight: float = 1.0
    answered: int = 0
    welcomed: int = 0
    ignored: int = 0
    disliked: int = 0


def every(db: sqlite3.Connection) -> dict[str, Kind]:
    """Return all known kinds, by name."""
    return {row["kind"]: _kind(row) for row in db.execute("SELECT * FROM outreach_kinds ORDER BY kind")}


def get(db: sqlite3.Connection, name: str) -> Kind:
    """Return a kind's record."""
    row = db.execute("SELECT * FROM outreach_kinds WHERE kind=?", (name,)).fetchone()
    return Kind(name) if row is None else _kind(row)


def learn(db: sqlite3.Connection, name: str, outcome: str, weight: float, now: datetime) -> None:
    """Add an outcome and set the new weight. Raises ValueError for an unknown outcome."""
    if outcome not in OUTCOMES:
        raise ValueError(f"no outcome {outcome!r}; there are {', '.join(OUTCOMES)}")
    db.execute(
        f"INSERT INTO outreach_kinds (kind, weight, {outcome}, changed_at) VALUES (:kind, :weight, 1, :now) "  # noqa: S608
        f"ON CONFLICT (kind) DO UPDATE SET weight=:weight, {outcome}={outcome}+1, changed_at=:now",
        {"kind": name, "weight": weight, "now": stamp(now)},
    )


def take_back(db: sqlite3.Connection, name: str, outcome: str, weight: float, now: datetime) -> None:
    """Remove an outcome and restore the weight. Raises ValueError for an unknown outcome."""
    if outcome not in OUTCOMES:
        raise ValueError(f"no outcome {outcome!r}; there are {', '.join(OUTCOMES)}")
    query = f"UPDATE outreach_kinds SET weight=?, {outcome}=max(0, {outcome}-1), changed_at=? WHERE kind=?"  # noqa: S608
    db.execute(query, (weight, stamp(now), name))


def _kind(row: sqlite3.Row) -> Kind:
    return Kind(row["kind"], row["weight"], *(row[name] for name in OUTCOMES))
