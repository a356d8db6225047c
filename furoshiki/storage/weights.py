"""Weights of memories and the log of every change to them. Nothing but `mind.remember.weighing` changes a weight.

A log row is either about one memory, with its weight before and after, or about many at once: then `evidence` holds
what was added to each beta and the ids in spans ("1-40 42"), and the memory's own columns are empty. The first weight
of a memory and its rows in the log give its weight now.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from furoshiki.domain.weights import Weight
from furoshiki.domain.when import parse, stamp
from furoshiki.storage.memories import OF_IDENTITY
from furoshiki.storage.rows import dump, load, marks

MANY = "ids"
ADDED = "beta"
"""Where the log row of a change to many memories keeps their ids and what was added to each beta."""


@dataclass(frozen=True)
class Weighed:
    """What the ceilings need to know of a memory."""

    id: int
    weight: Weight
    immutable: bool
    goal: bool


@dataclass(frozen=True)
class Change:
    """One row of the log. `memory_id`, `before` and `after` are None when it is about many memories."""

    id: int
    cycle: str
    at: datetime
    operation: str
    memory_id: int | None
    before: Weight | None
    after: Weight | None
    evidence: Mapping[str, Any]

    def moved(self, memory_id: int) -> tuple[float, float]:
        """What it added to this memory's alpha and beta."""
        if self.before is not None and self.after is not None:
            mine = self.memory_id == memory_id
            return (self.after.alpha - self.before.alpha, self.after.beta - self.before.beta) if mine else (0.0, 0.0)
        if MANY in self.evidence and any(low <= memory_id <= high for low, high in _spans(self.evidence[MANY])):
            return 0.0, float(self.evidence[ADDED])
        return 0.0, 0.0

    def ids(self) -> Iterator[int]:
        """The memories it moved."""
        if self.memory_id is not None:
            yield self.memory_id
        for low, high in _spans(self.evidence.get(MANY, "")):
            yield from range(low, high + 1)


def of(db: sqlite3.Connection, memory_id: int) -> Weighed | None:
    """One memory's weight, None when it is gone."""
    found = of_ids(db, [memory_id])
    return found[0] if found else None


def of_ids(db: sqlite3.Connection, ids: Sequence[int]) -> list[Weighed]:
    """The weights of these memories, in order of id; what is gone is left out."""
    found = []
    for start in range(0, len(ids), 500):
        part = ids[start : start + 500]
        found += [
            Weighed(row["id"], Weight(row["alpha"], row["beta"]), bool(row["immutable"]), row["category"] == "goal")
            for row in db.execute(
                f"SELECT id, alpha, beta, immutable, category FROM memories WHERE id IN ({marks(part)})",  # noqa: S608
                part,
            )
        ]
    return sorted(found, key=lambda one: one.id)


def other_goals(db: sqlite3.Connection, memory_id: int) -> tuple[int, float]:
    """How many active goals there are beside this memory, and the sum of their centres."""
    row = db.execute(
        "SELECT count(*), coalesce(sum(alpha/(alpha+beta)), 0.0) FROM memories INDEXED BY memories_of_identity "  # noqa: S608
        f"WHERE status='active' AND ({OF_IDENTITY}) AND category='goal' AND id!=?",
        (memory_id,),
    ).fetchone()
    return int(row[0]), float(row[1])


def centres(db: sqlite3.Connection) -> list[float]:
    """The centres of all active memories that may move."""
    rows = db.execute(
        "SELECT alpha/(alpha+beta) FROM memories INDEXED BY memories_weighed WHERE status='active' AND immutable=0"
    )
    return [float(row[0]) for row in rows]


def put(db: sqlite3.Connection, memory_id: int, weight: Weight) -> None:
    """Give a memory a weight."""
    db.execute("UPDATE memories SET alpha=?, beta=? WHERE id=?", (weight.alpha, weight.beta, memory_id))


def fix(db: sqlite3.Connection, memory_id: int, immutable: bool) -> None:
    """Make a memory immutable, or let it move again."""
    db.execute("UPDATE memories SET immutable=? WHERE id=?", (int(immutable), memory_id))


def add_to_betas(db: sqlite3.Connection, ids: Iterable[int], amount: float) -> None:
    """Add the same to the beta of each of these memories."""
    db.executemany("UPDATE memories SET beta=beta+? WHERE id=?", [(amount, memory_id) for memory_id in ids])


def log(
    db: sqlite3.Connection,
    cycle: str,
    at: datetime,
    operation: str,
    memory_id: int | None,
    before: Weight | None,
    after: Weight | None,
    evidence: Mapping[str, Any],
) -> None:
    """Write down one change with what it rests on."""
    db.execute(
        "INSERT INTO consolidation_log (cycle, at, operation, memory_id, alpha_before, beta_before, alpha_after, "
        "beta_after, evidence) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            cycle,
            stamp(at),
            operation,
            memory_id,
            None if before is None else before.alpha,
            None if before is None else before.beta,
            None if after is None else after.alpha,
            None if after is None else after.beta,
            dump(dict(evidence)),
        ),
    )


def log_many(
    db: sqlite3.Connection,
    cycle: str,
    at: datetime,
    operation: str,
    ids: Sequence[int],
    amount: float,
    evidence: Mapping[str, Any],
) -> None:
    """Write down in one row that `amount` was added to the beta of each of these memories."""
    many = {ADDED: amount, "count": len(ids), MANY: spans(ids)}
    log(db, cycle, at, operation, None, None, None, {**evidence, **many})


def of_cycle(db: sqlite3.Connection, cycle: str) -> list[Change]:
    """Everything one cycle changed, in order."""
    rows = db.execute("SELECT * FROM consolidation_log WHERE cycle=? ORDER BY id", (cycle,))
    return [_change(row) for row in rows]


def of_cycle_and_memory(db: sqlite3.Connection, cycle: str, memory_id: int) -> list[Change]:
    """What one cycle changed that may concern a memory: its own rows and those about many, in order."""
    rows = db.execute(
        "SELECT * FROM consolidation_log WHERE cycle=:cycle AND memory_id=:id UNION ALL "
        "SELECT * FROM consolidation_log WHERE cycle=:cycle AND memory_id IS NULL ORDER BY id",
        {"cycle": cycle, "id": memory_id},
    )
    return [_change(row) for row in rows]


def history(db: sqlite3.Connection, memory_id: int, limit: int = 100) -> list[Change]:
    """The latest changes of one memory alone, newest first."""
    rows = db.execute(
        "SELECT * FROM consolidation_log INDEXED BY consolidation_log_of_memory WHERE memory_id=? "
        "ORDER BY at DESC, id DESC LIMIT ?",
        (memory_id, limit),
    )
    return [_change(row) for row in rows]


def gains(db: sqlite3.Connection, memory_id: int, operation: str, before: str, limit: int) -> list[Change]:
    """The latest times one operation strengthened a memory in another cycle than `before`, newest first."""
    rows = db.execute(
        "SELECT * FROM consolidation_log INDEXED BY consolidation_log_of_memory WHERE memory_id=? AND operation=? "
        "AND cycle!=? AND alpha_after>alpha_before ORDER BY at DESC, id DESC LIMIT ?",
        (memory_id, operation, before, limit),
    )
    return [_change(row) for row in rows]


def latest(db: sqlite3.Connection, memory_id: int, operation: str) -> Change | None:
    """The last change of this kind to a memory."""
    row = db.execute(
        "SELECT * FROM consolidation_log INDEXED BY consolidation_log_of_memory WHERE memory_id=? AND operation=? "
        "ORDER BY at DESC, id DESC LIMIT 1",
        (memory_id, operation),
    ).fetchone()
    return None if row is None else _change(row)


def spans(ids: Iterable[int]) -> str:
    """Ids as spans: "1-40 42 50-99"."""
    found: list[list[int]] = []
    for one in sorted(set(ids)):
        if found and one == found[-1][1] + 1:
            found[-1][1] = one
        else:
            found.append([one, one])
    return " ".join(f"{low}" if low == high else f"{low}-{high}" for low, high in found)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    for span in text.split():
        low, _, high = span.partition("-")
        yield int(low), int(high or low)


def _change(row: sqlite3.Row) -> Change:
    before = None if row["alpha_before"] is None else Weight(row["alpha_before"], row["beta_before"])
    after = None if row["alpha_after"] is None else Weight(row["alpha_after"], row["beta_after"])
    return Change(
        row["id"],
        row["cycle"],
        parse(row["at"]),
        row["operation"],
        row["memory_id"],
        before,
        after,
        load(row["evidence"]) or {},
    )
