"""Weights of memories and the log of every change. Only `memory.weighing` changes a weight.

A log row is either about one memory, with its weight before and after, or about many: then
`evidence` holds the amount added to each beta and the ids as spans ("1-40 42"), and the memory's
own columns are empty. A memory's first weight and its log rows give its present weight, even after
old rows are folded into one, which holds their total.
"""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import fsum
from typing import Any

from furoshiki.core.database.rows import IDS, Table, as_json, dump, find_value, find_values, from_row, marks, moment
from furoshiki.core.timestamps import stamp
from furoshiki.memory.rules.weights import Weight
from furoshiki.memory.store.memories import OF_IDENTITY

MANY = "ids"
# keys in the evidence of a change to many memories: the ids, and the amount added to each beta
ADDED = "beta"

# the operation and cycle of a row that replaces old ones and counts them by operation
FOLDED = "folded"

# keys in the evidence of a folded row: rows by operation, and the time of the first
TIMES, SINCE = "times", "since"


@dataclass(frozen=True)
class Weighed:
    """The data of a memory that the ceilings need."""

    id: int
    weight: Weight
    immutable: bool
    goal: bool


@dataclass(frozen=True)
class Change:
    """One row of the log. `memory_id`, `before` and `after` are None for a change to many."""

    id: int
    cycle: str
    at: datetime
    operation: str
    memory_id: int | None
    before: Weight | None
    after: Weight | None
    evidence: Mapping[str, Any]

    def moved(self, memory_id: int) -> tuple[float, float]:
        """Return the amounts added to this memory's alpha and beta."""
        if self.before is not None and self.after is not None:
            mine = self.memory_id == memory_id
            return (self.after.alpha - self.before.alpha, self.after.beta - self.before.beta) if mine else (0.0, 0.0)
        if MANY in self.evidence and any(low <= memory_id <= high for low, high in _spans(self.evidence[MANY])):
            return 0.0, float(self.evidence[ADDED])
        return 0.0, 0.0

    def ids(self) -> Iterator[int]:
        """Yield the ids of the changed memories."""
        if self.memory_id is not None:
            yield self.memory_id
        for low, high in _spans(self.evidence.get(MANY, "")):
            yield from range(low, high + 1)


def _change(row: sqlite3.Row) -> Change:
    before = None if row["alpha_before"] is None else Weight(row["alpha_before"], row["beta_before"])
    after = None if row["alpha_after"] is None else Weight(row["alpha_after"], row["beta_after"])
    return from_row(Change, row, before=before, after=after)


_LOG = Table("consolidation_log", _change)
_OF_MEMORY = Table("consolidation_log INDEXED BY consolidation_log_of_memory", _change)


def of(db: sqlite3.Connection, memory_id: int) -> Weighed | None:
    """Return one memory's weight, or None if it is deleted."""
    memories = of_ids(db, [memory_id])
    return memories[0] if memories else None


def of_ids(db: sqlite3.Connection, ids: Sequence[int]) -> list[Weighed]:
    """Return the weights of these memories, by id; deleted ones are left out."""
    rows = db.execute(
        f"SELECT id, alpha, beta, immutable, category FROM memories WHERE id IN {IDS} ORDER BY id",  # noqa: S608
        (as_json(ids),),
    )
    return [
        Weighed(row["id"], Weight(row["alpha"], row["beta"]), bool(row["immutable"]), row["category"] == "goal")
        for row in rows
    ]


def other_goals(db: sqlite3.Connection, memory_id: int) -> tuple[int, float]:
    """Return the number of other active goals, and the sum of their centres."""
    row = db.execute(
        "SELECT count(*), coalesce(sum(alpha/(alpha+beta)), 0.0) FROM memories INDEXED BY memories_of_identity "  # noqa: S608
        f"WHERE status='active' AND ({OF_IDENTITY}) AND category='goal' AND id!=?",
        (memory_id,),
    ).fetchone()
    return int(row[0]), float(row[1])


def centres(db: sqlite3.Connection) -> list[float]:
    """Return the centres of all active memories that are not immutable."""
    rows = db.execute(
        "SELECT alpha/(alpha+beta) FROM memories INDEXED BY memories_weighed WHERE status='active' AND immutable=0"
    )
    return [float(row[0]) for row in rows]


def put(db: sqlite3.Connection, memory_id: int, weight: Weight) -> None:
    """Set a memory's weight."""
    db.execute("UPDATE memories SET alpha=?, beta=? WHERE id=?", (weight.alpha, weight.beta, memory_id))


def fix(db: sqlite3.Connection, memory_id: int, immutable: bool) -> None:
    """Make a memory immutable or mutable."""
    db.execute("UPDATE memories SET immutable=? WHERE id=?", (int(immutable), memory_id))


def add_to_betas(db: sqlite3.Connection, ids: Iterable[int], amount: float) -> None:
    """Add the same amount to the beta of each of these memories."""
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
    """Log one change with its evidence."""
    db.execute(
        "INSERT INTO consolidation_log (cycle, at, operation, memory_id, alpha_before, beta_before, alpha_after, "
        "beta_after, evidence) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            cycle,
            stamp(at),
            operation,
            memory_id,
            *_counts(before),
            *_counts(after),
            dump(dict(evidence)),
        ),
    )


def _counts(weight: Weight | None) -> tuple[float | None, float | None]:
    if weight is None:
        return None, None
    return weight.alpha, weight.beta


def log_many(
    db: sqlite3.Connection,
    cycle: str,
    at: datetime,
    operation: str,
    ids: Sequence[int],
    amount: float,
    evidence: Mapping[str, Any],
) -> None:
    """Log in one row that `amount` was added to the beta of each of these memories."""
    many = {ADDED: amount, "count": len(ids), MANY: spans(ids)}
    log(db, cycle, at, operation, None, None, None, {**evidence, **many})


def of_cycle(db: sqlite3.Connection, cycle: str) -> list[Change]:
    """Return all changes of one cycle, in order."""
    return _LOG.select(db, "cycle=? ORDER BY id", cycle)


def of_cycle_and_memory(db: sqlite3.Connection, cycle: str, memory_id: int) -> list[Change]:
    """Return a cycle's changes that may concern a memory (its own, and to many), in order."""
    rows = db.execute(
        "SELECT * FROM consolidation_log WHERE cycle=:cycle AND memory_id=:id UNION ALL "
        "SELECT * FROM consolidation_log WHERE cycle=:cycle AND memory_id IS NULL ORDER BY id",
        {"cycle": cycle, "id": memory_id},
    )
    return [_change(row) for row in rows]


def history(db: sqlite3.Connection, memory_id: int, limit: int = 100) -> list[Change]:
    """Return the latest changes of one memory alone, newest first."""
    return _OF_MEMORY.select(db, "memory_id=? ORDER BY at DESC, id DESC LIMIT ?", memory_id, limit)


def gains(db: sqlite3.Connection, memory_id: int, operation: str, before: str, limit: int) -> list[Change]:
    """Return a memory's latest gains by an operation, newest first, without the cycle `before`."""
    where = "memory_id=? AND operation=? AND cycle!=? AND alpha_after>alpha_before ORDER BY at DESC, id DESC LIMIT ?"
    return _OF_MEMORY.select(db, where, memory_id, operation, before, limit)


def latest(db: sqlite3.Connection, memory_id: int, operation: str) -> Change | None:
    """Return the last change of this kind to a memory, or None."""
    where = "memory_id=? AND operation=? ORDER BY at DESC, id DESC LIMIT 1"
    return _OF_MEMORY.first(db, where, memory_id, operation)


def to_fold(db: sqlite3.Connection, operations: Sequence[str], before: datetime, limit: int) -> list[int]:
    """Return ids of memories with log rows of these operations older than a time."""
    query = (
        f"SELECT DISTINCT memory_id FROM consolidation_log WHERE operation IN ({marks(operations)}) AND at<? "  # noqa: S608
        "AND memory_id IS NOT NULL LIMIT ?"
    )
    return find_values(db, query, *operations, stamp(before), limit)


def fold(db: sqlite3.Connection, memory_id: int, operations: Sequence[str], before: datetime) -> int:
    """Fold a memory's rows of these operations that are older than a time into one row.

    Returns the number of rows folded.
    """
    mine = f"memory_id=? AND (operation=? OR (at<? AND operation IN ({marks(operations)})))"
    which = (memory_id, FOLDED, stamp(before), *operations)
    changes = _LOG.select(db, f"{mine} ORDER BY at, id", *which)
    moves = [change for change in changes if change.before is not None]
    if not moves:
        return 0
    begin = moves[0].before
    assert begin is not None
    moved = [change.moved(memory_id) for change in moves]
    end = Weight(begin.alpha + fsum(one[0] for one in moved), begin.beta + fsum(one[1] for one in moved))
    db.execute(f"DELETE FROM consolidation_log WHERE {mine}", which)  # noqa: S608
    log(db, FOLDED, changes[-1].at, FOLDED, memory_id, begin, end, _summarize_changes(changes))
    return sum(change.operation != FOLDED for change in changes)


def oldest_of_many(db: sqlite3.Connection, operations: Sequence[str]) -> datetime | None:
    """Return the time of the oldest such row about many memories, or None."""
    query = f"SELECT min(at) FROM consolidation_log WHERE operation IN ({marks(operations)}) AND memory_id IS NULL"  # noqa: S608
    return moment(find_value(db, query, *operations))


def of_many(db: sqlite3.Connection, operations: Sequence[str], before: datetime) -> list[Change]:
    """Return the rows about many memories of these operations before a time, in order."""
    where = f"operation IN ({marks(operations)}) AND at<? AND memory_id IS NULL ORDER BY at, id"
    return _LOG.select(db, where, *operations, stamp(before))


def replace_many(db: sqlite3.Connection, changes: Sequence[Change], sums: Mapping[float, Sequence[int]]) -> bool:
    """Replace these rows by one folded row for each sum; return False if some are missing."""
    ids = dump([change.id for change in changes])
    these = "consolidation_log WHERE id IN (SELECT value FROM json_each(?))"
    if find_value(db, f"SELECT count(*) FROM {these}", ids) != len(changes):  # noqa: S608
        return False
    db.execute(f"DELETE FROM {these}", (ids,))  # noqa: S608
    for amount, moved in sorted(sums.items()):
        log_many(db, FOLDED, changes[-1].at, FOLDED, moved, amount, _summarize_changes(changes))
    return True


def sums_of(changes: Iterable[Change]) -> dict[float, list[int]]:
    """Return the memories by the total that these rows added to their betas."""
    added: defaultdict[int, list[float]] = defaultdict(list)
    for change in changes:
        for memory_id in change.ids():
            added[memory_id].append(float(change.evidence[ADDED]))
    sums: defaultdict[float, list[int]] = defaultdict(list)
    for memory_id, amounts in added.items():
        sums[round(fsum(amounts), 9)].append(memory_id)
    return dict(sums)


def _summarize_changes(changes: Sequence[Change]) -> dict[str, Any]:
    """Return the evidence of a folded row, without any turn or text of the old rows."""
    times: Counter[str] = Counter()
    for change in changes:
        times.update(change.evidence[TIMES] if change.operation == FOLDED else {change.operation: 1})
    first = changes[0]
    return {TIMES: dict(sorted(times.items())), SINCE: first.evidence.get(SINCE, stamp(first.at))}


def spans(ids: Iterable[int]) -> str:
    """Return ids as spans: "1-40 42 50-99"."""
    ranges: list[list[int]] = []
    for memory_id in sorted(set(ids)):
        if ranges and memory_id == ranges[-1][1] + 1:
            ranges[-1][1] = memory_id
        else:
            ranges.append([memory_id, memory_id])
    return " ".join(f"{low}" if low == high else f"{low}-{high}" for low, high in ranges)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    for span in text.split():
        low, _, high = span.partition("-")
        yield int(low), int(high or low)
