"""Storage of routing decisions, one row per turn."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from furoshiki.core.database.rows import Table, find_value, from_row, insert, to_row
from furoshiki.core.timestamps import stamp
from furoshiki.owner.routing.values import Mode, Route

UNREAD = "reflex"  # the source of a decision for the built-in mind, from which nothing is learned

# the turn's stored topic, as a new topic gets its row only now
_TOPIC = "SELECT topic_id FROM turn_topics JOIN turns ON id=turn_id WHERE turn_key=? ORDER BY id DESC LIMIT 1"


@dataclass(frozen=True)
class Place:
    """The turn, session and conversation of a decision, and who raised the matter (`UNREAD`: the
    answering mind did not get the decision)."""

    turn_key: str
    session_id: str | None
    channel: str
    chat_id: str
    source_tag: str = "user"


@dataclass(frozen=True, kw_only=True)
class Decision(Place):
    """A stored decision. `acted`: whether an action was taken; None if unknown."""

    id: int
    topic_id: int | None
    path: str
    mode: Mode
    scores: Mapping[str, float]
    signals: Mapping[str, Any]
    warmth: float
    knowing: float | None
    confidence: float
    margin: float
    tie_break: str
    ms: float
    acted: bool | None
    at: datetime


def _read(row: sqlite3.Row) -> Decision:
    return from_row(Decision, row, acted=None if row["acted"] is None else bool(row["acted"]))


_TABLE = Table("routing_decisions", _read)


def add(db: sqlite3.Connection, place: Place, route: Route, *, acted: bool | None, now: datetime) -> None:
    """Store a decision, replacing an earlier one of the same turn."""
    knowing = route.knowing
    figures = to_row(
        route,
        topic_id=find_value(db, _TOPIC, place.turn_key),
        scores={mode: round(score, 4) for mode, score in route.scores.items()},
        signals={**route.signals, "density": round(knowing.density, 3), "sure": round(knowing.confidence, 4)},
        warmth=knowing.warmth,
        knowing=knowing.knowing,
        acted=acted,
        at=now,
    )
    db.execute("DELETE FROM routing_decisions WHERE turn_key=?", (place.turn_key,))
    insert(db, "routing_decisions", to_row(place) | figures)


def in_chat(db: sqlite3.Connection, channel: str, chat_id: str, limit: int, *, without: str = "") -> list[Decision]:
    """Return the latest decisions of a conversation, newest first, without the turn `without`."""
    where = "channel=? AND chat_id=? AND turn_key!=? ORDER BY id DESC LIMIT ?"
    return _TABLE.select(db, where, channel, chat_id, without, limit)


def count_since(db: sqlite3.Connection, moment: datetime) -> dict[tuple[str, str], int]:
    """Count decisions since a time, by mode and tie-break."""
    query = "SELECT mode, tie_break, count(*) AS many FROM routing_decisions WHERE at>=? GROUP BY mode, tie_break"
    rows = db.execute(query, (stamp(moment),))
    return {(row["mode"], row["tie_break"]): row["many"] for row in rows}


def before(
    db: sqlite3.Connection, decision_id: int | None, limit: int, *, mode: str = "", close: bool = False
) -> list[Decision]:
    """Return decisions below an id, newest first: of a mode, or only close ones."""
    where = "(?1 IS NULL OR id<?1) AND ?2 IN ('', mode) AND (tie_break!='none' OR NOT ?3) ORDER BY id DESC LIMIT ?4"
    return _TABLE.select(db, where, decision_id, mode, close, limit)


def of_turn(db: sqlite3.Connection, turn_key: str) -> Decision | None:
    return _TABLE.first(db, "turn_key=?", turn_key)
