"""The history of feelings and needs."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from furoshiki.core.database.rows import change_rows, find_values, from_row, insert, load
from furoshiki.core.timestamps import parse, stamp
from furoshiki.feelings.rules.user_needs import UserNeed

_DIGITS = 2e-6


@dataclass(frozen=True)
class Felt:
    """One row: the feelings, and the events since the previous row ("tick, session_closed")."""

    at: datetime
    emotions: Mapping[str, float]
    mood: str
    cause: str


def record(
    db: sqlite3.Connection,
    now: datetime,
    emotions: Mapping[str, float],
    needs: Mapping[str, float],
    mood: str,
    cause: str,
) -> None:
    """Add a row of history: the feelings, and their cause."""
    row = {"at": now, "emotions": emotions, "needs": needs, "mood": mood, "cause": cause}
    insert(db, "emotion_history", row)


def last(db: sqlite3.Connection) -> tuple[datetime, dict[str, float], str] | None:
    """Return the row written last (not the latest by time): its time, the emotions, the mood."""
    row = db.execute("SELECT at, emotions, mood FROM emotion_history ORDER BY id DESC LIMIT 1").fetchone()
    return None if row is None else (parse(row["at"]), load(row["emotions"]), row["mood"])


def rows(db: sqlite3.Connection, since: datetime) -> list[Felt]:
    """Return the rows since a time, in order of writing."""
    query = "SELECT at, emotions, mood, cause FROM emotion_history WHERE at>? ORDER BY id"
    found_rows = db.execute(query, (stamp(since),))
    return [from_row(Felt, row) for row in found_rows]


def moods(db: sqlite3.Connection, since: datetime) -> list[str]:
    """Return the mood of every row since a time, oldest first."""
    return find_values(db, "SELECT mood FROM emotion_history WHERE at>? ORDER BY id", stamp(since))


def course(db: sqlite3.Connection, since: datetime) -> list[tuple[datetime, str]]:
    """Return the changes of mood since a time with their times, oldest first."""
    rows = db.execute(
        "SELECT at, mood FROM (SELECT id, at, mood, lag(mood) OVER (ORDER BY id) AS before FROM emotion_history "
        "WHERE at>?) WHERE before IS NULL OR before!=mood ORDER BY id",
        (stamp(since),),
    )
    return [(parse(row["at"]), row["mood"]) for row in rows]


def record_user_need(
    db: sqlite3.Connection,
    now: datetime,
    need: str,
    level: float,
    confidence: float,
    evidence: tuple[int, ...],
    cause: str,
) -> None:
    """Add a row for a changed user need, with the turns it is based on."""
    figures = {"level": level, "confidence": confidence, "evidence": evidence}
    insert(db, "user_needs_history", {"at": now, "need": need, **figures, "cause": cause})


def record_user_needs(db: sqlite3.Connection, needs: Mapping[str, UserNeed], cause: str, now: datetime) -> int:
    """Add a row for every need that differs from its newest row; return the number. Needs without
    evidence have no row.

    Called with the stored state, it restores a lost row and duplicates none. A state older than its
    row was overtaken by another process.
    """
    last_needs = last_user_needs(db)
    changed = 0
    for name, need in needs.items():
        last = last_needs.get(name)
        if last is None and not need.evidence:
            continue
        if last is not None and (_same(need, last) or need.updated < parse(last["last_updated"]) <= now):
            continue
        record_user_need(db, need.updated, name, need.level, need.confidence, need.evidence, cause)
        changed += 1
    return changed


def _same(need: UserNeed, last: Mapping[str, Any]) -> bool:
    """Whether a need equals its row (files keep six digits)."""
    near = abs(need.level - last["level"]) < _DIGITS and abs(need.confidence - last["confidence"]) < _DIGITS
    return near and bool(list(need.evidence) == last["evidence"])


def last_user_needs(db: sqlite3.Connection) -> dict[str, dict[str, Any]]:
    """Return the newest level, confidence, evidence and time of each user need."""
    rows = db.execute(
        "SELECT * FROM user_needs_history WHERE id IN (SELECT max(id) FROM user_needs_history GROUP BY need)"
    ).fetchall()
    return {
        row["need"]: {
            "level": row["level"],
            "confidence": row["confidence"],
            "evidence": load(row["evidence"]),
            "last_updated": row["at"],
        }
        for row in rows
    }


def prune(db: sqlite3.Connection, whole: datetime, hourly: datetime) -> int:
    """Keep one row an hour before `whole`, none before `hourly`; return the number deleted."""
    query = (
        "DELETE FROM emotion_history WHERE at<:hourly OR (at<:whole AND id NOT IN "
        "(SELECT max(id) FROM emotion_history WHERE at<:whole GROUP BY substr(at, 1, 13)))"
    )
    return change_rows(db, query, {"whole": stamp(whole), "hourly": stamp(hourly)})
