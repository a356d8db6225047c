"""Rows of idle wandering, newest last."""

import sqlite3
from datetime import datetime

from furoshiki.conversation.wandering.values import Active, Wandering
from furoshiki.core.database.rows import find_values, from_row, insert, load, to_row
from furoshiki.core.framing import clean
from furoshiki.core.timestamps import stamp


def add(db: sqlite3.Connection, wandering: Wandering) -> int:
    """Store a wandering and mark its concept as used; return its row id."""
    db.execute("UPDATE concepts SET wandered_at=? WHERE id=?", (stamp(wandering.at), wandering.concept))
    activated = [[active.concept, active.name, round(active.energy, 3)] for active in wandering.activated]
    besides = {"concept_id": wandering.concept, "gist_id": wandering.gist, "action_scores": wandering.scores}
    row = to_row(wandering, *("id", "concept", "gist", "scores"), activated=activated, **besides)
    return insert(db, "wanderings", row)


def became(db: sqlite3.Connection, row: int, action: str, outcome: str) -> None:
    """Store the action and its outcome."""
    db.execute("UPDATE wanderings SET action=?, outcome=? WHERE id=?", (action, clean(outcome), row))


def since(db: sqlite3.Connection, moment: datetime) -> list[Wandering]:
    """Return all wanderings after a time, oldest first."""
    rows = db.execute("SELECT * FROM wanderings WHERE at>? ORDER BY at, id", (stamp(moment),))
    return list(map(_read, rows))


def thoughts(db: sqlite3.Connection, moment: datetime) -> list[str]:
    """Return the existing thoughts after a time, oldest first."""
    query = "SELECT g.text FROM wanderings w JOIN gists g ON g.id=w.gist_id WHERE w.at>? ORDER BY w.id"
    return find_values(db, query, stamp(moment))


def _read(row: sqlite3.Row) -> Wandering:
    return from_row(
        Wandering,
        row,
        concept=row["concept_id"],
        activated=tuple(Active(int(one[0]), str(one[1]), float(one[2])) for one in load(row["activated"])),
        scores=load(row["action_scores"]),
        gist=row["gist_id"],
    )
