"""What the companion has promised itself, at most five things at a time, and how it kept each, session by session."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from furoshiki.core.database.rows import dump, from_row, insert
from furoshiki.core.timestamps import stamp
from furoshiki.mind.inner_life.rules.patterns import MOST_ACTIVE
from furoshiki.owner.agenda.store.mind_queue import KEEPS_FAILING

State = Literal["active", "retired", "dropped"]
Verdict = Literal["honoured", "broken"]


@dataclass(frozen=True)
class Commitment:
    """A promise. `sign` is how one sees in a conversation whether it was kept; `honoured` and `broken` count sessions,
    `failures_in_row` those since it was last honoured or looked at openly. `changed_at` is the last judgement's time,
    or when it was made."""

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


@dataclass(frozen=True)
class Judgement:
    """How a promise was kept in one session, and the turns that show it."""

    session_id: str
    verdict: Verdict
    turn_ids: tuple[int, ...]
    at: datetime


_COLUMNS = (
    "*, (SELECT count(*) FROM commitment_judgements AS j WHERE j.commitment_id=commitments.id AND verdict='broken') "
    "AS broken"
)


def active(db: sqlite3.Connection) -> list[Commitment]:
    """What holds now, oldest first; never more than five."""
    return _all(db, "state='active' ORDER BY id LIMIT ?", MOST_ACTIVE)


def read_failing(db: sqlite3.Connection) -> list[Commitment]:
    """What holds now and was broken again and again since it was last honoured, oldest first."""
    return _all(db, f"state='active' AND {KEEPS_FAILING} ORDER BY id")


def read_retired(db: sqlite3.Connection) -> list[Commitment]:
    """What has become part of the companion, in the order in which it did."""
    return _all(db, "state='retired' ORDER BY changed_at, id")


def every(db: sqlite3.Connection, limit: int = -1, before: int | None = None) -> list[Commitment]:
    """All of them (before that of an id), newest first; at most `limit` where that is not negative."""
    if before is not None:
        return _all(db, "id<? ORDER BY id DESC LIMIT ?", before, limit)
    return _all(db, "1 ORDER BY id DESC LIMIT ?", limit)


def get(db: sqlite3.Connection, commitment_id: int) -> Commitment | None:
    """One of them."""
    return next(iter(_all(db, "id=?", commitment_id)), None)


def add(db: sqlite3.Connection, pattern_id: int, text: str, sign: str, now: datetime) -> int | None:
    """Make a promise out of a pattern; None when five hold already, or the pattern ever had one."""
    if len(active(db)) >= MOST_ACTIVE:
        return None
    if db.execute("SELECT 1 FROM commitments WHERE pattern_id=?", (pattern_id,)).fetchone() is not None:
        return None
    row = {
        "pattern_id": pattern_id,
        "text": text,
        "sign": sign,
        "created_at": stamp(now),
        "changed_at": stamp(now),
    }
    made = insert(db, "commitments", row)
    db.execute("UPDATE behavioral_patterns SET state='committed' WHERE id=?", (pattern_id,))
    return made


def record(
    db: sqlite3.Connection, one: int, session_id: str, verdict: Verdict, turn_ids: Sequence[int], now: datetime
) -> Commitment | None:
    """Note how an active promise was kept in a session, once; the promise as it stands then, else None.

    A session that was judged before is not judged again.
    """
    row = {
        "commitment_id": one,
        "session_id": session_id,
        "verdict": verdict,
        "turn_ids": dump(list(turn_ids)),
        "at": stamp(now),
    }
    holds = db.execute("SELECT 1 FROM commitments WHERE id=? AND state='active'", (one,)).fetchone()
    if holds is None or insert(db, "commitment_judgements", row, or_ignore=True) is None:
        return None
    counted = "honoured=honoured+1, failures_in_row=0" if verdict == "honoured" else "failures_in_row=failures_in_row+1"
    db.execute(f"UPDATE commitments SET {counted}, changed_at=? WHERE id=?", (stamp(now), one))  # noqa: S608
    return get(db, one)


def begin_again(db: sqlite3.Connection, one: int) -> None:
    """The failures in a row were looked at openly: they are counted from nothing again."""
    db.execute("UPDATE commitments SET failures_in_row=0 WHERE id=?", (one,))


def retire(db: sqlite3.Connection, one: int, now: datetime) -> None:
    """Retire a promise that became a habit, and close its pattern."""
    db.execute("UPDATE commitments SET state='retired', changed_at=? WHERE id=? AND state='active'", (stamp(now), one))
    _close(db, one)


def idle(db: sqlite3.Connection, before: datetime) -> int | None:
    """The active promise that has had no occasion for longest, if none since `before`; None when there is none."""
    found = db.execute(
        "SELECT id FROM commitments WHERE state='active' AND changed_at<=? ORDER BY changed_at, id LIMIT 1",
        (stamp(before),),
    ).fetchone()
    return None if found is None else int(found["id"])


def drop(db: sqlite3.Connection, one: int, now: datetime) -> None:
    """Drop a promise that did not become part of the companion."""
    db.execute("UPDATE commitments SET state='dropped', changed_at=? WHERE id=? AND state='active'", (stamp(now), one))
    _close(db, one)


def judgements(db: sqlite3.Connection, one: int) -> list[Judgement]:
    """How it was kept, oldest first."""
    rows = db.execute("SELECT * FROM commitment_judgements WHERE commitment_id=? ORDER BY at, session_id", (one,))
    return [from_row(Judgement, row) for row in rows]


def _close(db: sqlite3.Connection, one: int) -> None:
    """Nothing is promised for its pattern any more."""
    db.execute(
        "UPDATE behavioral_patterns SET state='closed' WHERE id=(SELECT pattern_id FROM commitments WHERE id=?)", (one,)
    )


def _all(db: sqlite3.Connection, where: str, *values: object) -> list[Commitment]:
    rows = db.execute(f"SELECT {_COLUMNS} FROM commitments WHERE {where}", values)  # noqa: S608 - our own words
    return [from_row(Commitment, row) for row in rows]
