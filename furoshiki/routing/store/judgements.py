"""What was said about decisions of the router, by the owner and by a consultant, and the decisions it was said about.

The rows themselves are written by whoever routes; only what is said about them is changed here.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from furoshiki.core.database.rows import dump, load
from furoshiki.core.timestamps import parse, stamp
from furoshiki.routing.rules.decisions import PRAISE, Decided, Label, Reflected

From = Literal["message", "reaction"]

_COLUMNS = (
    "id, turn_key, channel, chat_id, mode, tie_break, confidence, warmth, knowing, at, signals, feedback, "
    "feedback_from, reflection"
)
_OWN = "source_tag='user'"


def of_turn(db: sqlite3.Connection, turn_key: str) -> Decided | None:
    """The decision about a message, by the key of its turn."""
    row = db.execute(
        f"SELECT {_COLUMNS} FROM routing_decisions WHERE turn_key=?",  # noqa: S608
        (turn_key,),
    ).fetchone()
    return None if row is None else _decided(row)


def beside(db: sqlite3.Connection, one: Decided, way: Literal["before", "after"]) -> Decided | None:
    """The decision about the message before or after it in the same conversation."""
    sign, order = ("<", "DESC") if way == "before" else (">", "ASC")
    row = db.execute(
        f"SELECT {_COLUMNS} FROM routing_decisions WHERE channel=? AND chat_id=? AND id{sign}? "  # noqa: S608
        f"ORDER BY id {order} LIMIT 1",
        (one.channel, one.chat_id, one.id),
    ).fetchone()
    return None if row is None else _decided(row)


def label(db: sqlite3.Connection, decision_id: int, found: Label, said_by: From, now: datetime) -> bool:
    """Write down what was said about a decision. A message says it once; a reaction takes the place of what was there.
    False when nothing was written, as of one that no mind was told of."""
    unless = " AND feedback IS NULL" if said_by == "message" else ""
    done = db.execute(
        f"UPDATE routing_decisions SET feedback=?, feedback_from=?, feedback_at=? WHERE id=? AND {_OWN}{unless}",  # noqa: S608
        (found, said_by, stamp(now), decision_id),
    )
    return done.rowcount == 1


def take_back(db: sqlite3.Connection, decision_id: int) -> bool:
    """Take away what a reaction said about a decision; False when none said anything."""
    done = db.execute(
        "UPDATE routing_decisions SET feedback=NULL, feedback_from=NULL, feedback_at=NULL "
        "WHERE id=? AND feedback_from='reaction'",
        (decision_id,),
    )
    return done.rowcount == 1


def since(db: sqlite3.Connection, moment: datetime) -> list[Decided]:
    """The decisions about messages of the owner's made after a moment, oldest first."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM routing_decisions WHERE at>? AND {_OWN} ORDER BY id",  # noqa: S608
        (stamp(moment),),
    )
    return [_decided(row) for row in rows]


def made_since(db: sqlite3.Connection, moment: datetime, most: int) -> int:
    """How many there are, counted up to `most`."""
    found: int = db.execute(
        f"SELECT count(*) FROM (SELECT 1 FROM routing_decisions WHERE at>? AND {_OWN} LIMIT ?)",  # noqa: S608
        (stamp(moment), most),
    ).fetchone()[0]
    return found


def open_since(db: sqlite3.Connection, moment: datetime, most: int = 1000) -> list[Decided]:
    """Those a consultant may still look back on: nobody did, and the owner did not praise them; the newest, oldest
    first."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM routing_decisions WHERE at>? AND {_OWN} AND reflected_at IS NULL "  # noqa: S608
        "AND (feedback IS NULL OR feedback!=?) ORDER BY id DESC LIMIT ?",
        (stamp(moment), PRAISE, most),
    ).fetchall()
    return [_decided(row) for row in reversed(rows)]


def reflect(db: sqlite3.Connection, found: Sequence[tuple[int, Reflected]], now: datetime) -> int:
    """Write down what a consultant said, once for each; returns of how many."""
    done = 0
    for decision_id, one in found:
        said = dump({"dimensions": list(one.dimensions), "confidence": one.confidence, "why": one.why})
        done += db.execute(
            "UPDATE routing_decisions SET reflection=?, reflected_at=? WHERE id=? AND reflected_at IS NULL",
            (said, stamp(now), decision_id),
        ).rowcount
    return done


def _decided(row: sqlite3.Row) -> Decided:
    said = load(row["reflection"])
    return Decided(
        id=row["id"],
        turn_key=row["turn_key"],
        channel=row["channel"],
        chat_id=row["chat_id"],
        mode=row["mode"],
        tie_break=row["tie_break"],
        confidence=row["confidence"],
        warmth=row["warmth"],
        knowing=row["knowing"],
        at=parse(row["at"]),
        signals=load(row["signals"]) or {},
        feedback=row["feedback"],
        feedback_from=row["feedback_from"],
        reflected=None
        if said is None
        else Reflected(tuple(said["dimensions"]), float(said["confidence"]), str(said.get("why", ""))),
    )
