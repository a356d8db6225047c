"""The companion's commitments, at most five active, and how each was kept in each session."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Literal

from furoshiki.core.database.rows import Table, find_value, from_row, has_row, insert, insert_if_new
from furoshiki.core.timestamps import stamp
from furoshiki.mind.inner_life.rules.patterns import MOST_ACTIVE
from furoshiki.owner.agenda.store.mind_queue import KEEPS_FAILING

State = Literal["active", "retired", "dropped"]
Verdict = Literal["honoured", "broken"]

_COLUMNS = (
    "*, (SELECT count(*) FROM commitment_judgements AS j WHERE j.commitment_id=commitments.id AND verdict='broken') "
    "AS broken"
)


@dataclass(frozen=True)
class Commitment:
    """A commitment. `sign` is the evidence to look for in a conversation; `honoured` and `broken`
    count sessions, `failures_in_row` those since it was last kept or examined. `changed_at` is the
    time of the last judgement, or of creation."""

    id: int
    pattern_id: int
    text: str
    sign: str
    state: State
    honoured: int
    broken: int
    failures_in_row: int
    created_at: datetime
    changed_at: datetime


_TABLE = Table("commitments", partial(from_row, Commitment), _COLUMNS)
get = _TABLE.get
every = _TABLE.newest


@dataclass(frozen=True)
class Judgement:
    """How a commitment was kept in a session, and the turns that show it."""

    session_id: str
    verdict: Verdict
    turn_ids: tuple[int, ...]
    at: datetime


def active(db: sqlite3.Connection) -> list[Commitment]:
    """Return the active commitments, oldest first (at most five)."""
    return _TABLE.select(db, "state='active' ORDER BY id LIMIT ?", MOST_ACTIVE)


def read_failing(db: sqlite3.Connection) -> list[Commitment]:
    """Return the active commitments that were broken repeatedly since last kept, oldest first."""
    return _TABLE.select(db, f"state='active' AND {KEEPS_FAILING} ORDER BY id")


def read_retired(db: sqlite3.Connection) -> list[Commitment]:
    """Return retired commitments, in the order of retirement."""
    return _TABLE.select(db, "state='retired' ORDER BY changed_at, id")


def add(db: sqlite3.Connection, pattern_id: int, text: str, sign: str, now: datetime) -> int | None:
    """Create a commitment from a pattern; None when five are active or the pattern ever had one."""
    if len(active(db)) >= MOST_ACTIVE:
        return None
    if has_row(db, "SELECT 1 FROM commitments WHERE pattern_id=?", pattern_id):
        return None
    row = {"pattern_id": pattern_id, "text": text, "sign": sign, "created_at": now, "changed_at": now}
    made = insert(db, "commitments", row)
    db.execute("UPDATE behavioral_patterns SET state='committed' WHERE id=?", (pattern_id,))
    return made


def record(
    db: sqlite3.Connection, one: int, session_id: str, verdict: Verdict, turn_ids: Sequence[int], now: datetime
) -> Commitment | None:
    """Store how an active commitment was kept in a session; return it updated, else None.

    Each session is judged once.
    """
    row = {
        "commitment_id": one,
        "session_id": session_id,
        "verdict": verdict,
        "turn_ids": turn_ids,
        "at": now,
    }
    holds = has_row(db, "SELECT 1 FROM commitments WHERE id=? AND state='active'", one)
    if not holds or insert_if_new(db, "commitment_judgements", row) is None:
        return None
    counted = "honoured=honoured+1, failures_in_row=0" if verdict == "honoured" else "failures_in_row=failures_in_row+1"
    db.execute(f"UPDATE commitments SET {counted}, changed_at=? WHERE id=?", (stamp(now), one))  # noqa: S608
    return get(db, one)


def begin_again(db: sqlite3.Connection, one: int) -> None:
    """Reset the failures in a row after they were examined."""
    db.execute("UPDATE commitments SET failures_in_row=0 WHERE id=?", (one,))


def retire(db: sqlite3.Connection, one: int, now: datetime) -> None:
    """Retire a promise that became a habit, and close its pattern."""
    db.execute("UPDATE commitments SET state='retired', changed_at=? WHERE id=? AND state='active'", (stamp(now), one))
    _close(db, one)


def idle(db: sqlite3.Connection, before: datetime) -> int | None:
    """Return the active commitment idle for longest, if unchanged since `before`, else None."""
    query = "SELECT id FROM commitments WHERE state='active' AND changed_at<=? ORDER BY changed_at, id LIMIT 1"
    commitment_id: int | None = find_value(db, query, stamp(before))
    return commitment_id


def drop(db: sqlite3.Connection, one: int, now: datetime) -> None:
    """Drop a promise that did not become part of the companion."""
    db.execute("UPDATE commitments SET state='dropped', changed_at=? WHERE id=? AND state='active'", (stamp(now), one))
    _close(db, one)


def judgements(db: sqlite3.Connection, one: int) -> list[Judgement]:
    """Return the judgements of a commitment, oldest first."""
    rows = db.execute("SELECT * FROM commitment_judgements WHERE commitment_id=? ORDER BY at, session_id", (one,))
    return [from_row(Judgement, row) for row in rows]


def _close(db: sqlite3.Connection, one: int) -> None:
    """Close its pattern, which then yields no more commitments."""
    query = "UPDATE behavioral_patterns SET state='closed' WHERE id=(SELECT pattern_id FROM commitments WHERE id=?)"
    db.execute(query, (one,))
