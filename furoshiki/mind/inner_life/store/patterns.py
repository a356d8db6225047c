"""Groups of self-questions about one behaviour, and when each group came up."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from furoshiki.core.database import kv
from furoshiki.core.database.rows import find_value, from_row, insert
from furoshiki.core.timestamps import parse, stamp

SORTED = "patterns.sorted"  # the `kv` key of the newest self-question that a model has sorted

State = Literal["watched", "committed", "closed"]


@dataclass(frozen=True)
class Pattern:
    """A recurring question about the companion's conduct. `times`: when its questions came up,
    oldest first; `looked_at`: the last examination without a commitment."""

    id: int
    gist: str
    state: State
    looked_at: datetime | None
    questions: tuple[str, ...]
    times: tuple[datetime, ...]


def list_unsorted(db: sqlite3.Connection, since: datetime, limit: int) -> list[tuple[int, str]]:
    """Return unsorted questions since a time with their ids, oldest first, without curiosities and
    questions about profile gaps or needs."""
    rows = db.execute(
        "SELECT id, question FROM self_questions WHERE id>? AND kind='question' AND created_at>=? "
        "AND source NOT LIKE 'profile_gaps:%' AND source NOT LIKE 'needs:%' ORDER BY id LIMIT ?",
        (kv.get(db, SORTED, 0), stamp(since), limit),
    )
    return [(row["id"], row["question"]) for row in rows]


def mark_sorted(db: sqlite3.Connection, question_id: int, now: datetime) -> None:
    """Mark all questions up to this one as sorted."""
    kv.put(db, SORTED, question_id, now)


def list_groups(db: sqlite3.Connection, most: int, members: int) -> list[list[tuple[int, str]]]:
    """Return the newest `members` questions of the `most` recently grown patterns."""
    found: dict[int, list[tuple[int, str]]] = {}
    for row in db.execute(
        "SELECT p.pattern_id, q.id, q.question FROM pattern_questions AS p "
        "JOIN self_questions AS q ON q.id=p.question_id ORDER BY q.id DESC"
    ):
        if row["pattern_id"] in found or len(found) < most:
            found.setdefault(row["pattern_id"], []).append((row["id"], row["question"]))
    return [its[:members] for its in found.values()]


def home(db: sqlite3.Connection, question_id: int) -> int | None:
    """Return the pattern of a question, or None."""
    query = "SELECT pattern_id FROM pattern_questions WHERE question_id=?"
    pattern_id: int | None = find_value(db, query, question_id)
    return pattern_id


def take_out(db: sqlite3.Connection, question_id: int) -> None:
    """Remove a question from its pattern; delete the pattern if it is left empty."""
    where = home(db, question_id)
    db.execute("DELETE FROM pattern_questions WHERE question_id=?", (question_id,))
    db.execute(
        "DELETE FROM behavioral_patterns WHERE id=? "
        "AND NOT EXISTS (SELECT 1 FROM pattern_questions WHERE pattern_id=?) "
        "AND NOT EXISTS (SELECT 1 FROM commitments WHERE pattern_id=?)",
        (where, where, where),
    )


def begin(db: sqlite3.Connection, gist: str, now: datetime) -> int:
    """Create a pattern named after its first question; return its id."""
    return insert(db, "behavioral_patterns", {"gist": gist, "created_at": now})


def place(db: sqlite3.Connection, question_id: int, pattern_id: int) -> None:
    """Add a question to a pattern. Raises IntegrityError when it already has one."""
    insert(db, "pattern_questions", {"question_id": question_id, "pattern_id": pattern_id})


def list_unpromised(db: sqlite3.Connection) -> list[Pattern]:
    """Return the patterns without a commitment, oldest first."""
    return [
        _pattern(db, row) for row in db.execute("SELECT * FROM behavioral_patterns WHERE state='watched' ORDER BY id")
    ]


def get(db: sqlite3.Connection, pattern_id: int) -> Pattern | None:
    """Return the pattern with this id, or None."""
    row = db.execute("SELECT * FROM behavioral_patterns WHERE id=?", (pattern_id,)).fetchone()
    return None if row is None else _pattern(db, row)


def read_recurrences(db: sqlite3.Connection, pattern_id: int) -> list[tuple[str, tuple[datetime, ...]]]:
    """Return a pattern's questions with the times of each, oldest first."""
    found: dict[str, list[datetime]] = {}
    for row in db.execute(
        "SELECT q.question, t.at FROM pattern_questions AS p JOIN self_questions AS q ON q.id=p.question_id "
        "JOIN self_question_times AS t ON t.question_id=q.id WHERE p.pattern_id=? ORDER BY q.id, t.at",
        (pattern_id,),
    ):
        found.setdefault(row["question"], []).append(parse(row["at"]))
    return [(text, tuple(times)) for text, times in found.items()]


def mark_examined(db: sqlite3.Connection, pattern_id: int, now: datetime) -> None:
    """Mark a pattern without a promise, so that only a recurrence reopens it."""
    db.execute("UPDATE behavioral_patterns SET looked_at=? WHERE id=?", (stamp(now), pattern_id))


def _pattern(db: sqlite3.Connection, row: sqlite3.Row) -> Pattern:
    asked = db.execute(
        "SELECT question FROM self_questions WHERE id IN "
        "(SELECT question_id FROM pattern_questions WHERE pattern_id=?) ORDER BY id",
        (row["id"],),
    )
    times = db.execute(
        "SELECT DISTINCT at FROM self_question_times WHERE question_id IN "
        "(SELECT question_id FROM pattern_questions WHERE pattern_id=?) ORDER BY at",
        (row["id"],),
    )
    return from_row(
        Pattern, row, questions=tuple(one["question"] for one in asked), times=tuple(parse(one["at"]) for one in times)
    )
