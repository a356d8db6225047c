"""Queries of the charts over time: feelings, user needs, model costs, messages and latencies."""

import sqlite3
from datetime import datetime
from typing import NamedTuple

from furoshiki.core.database.rows import load
from furoshiki.core.timestamps import parse, stamp
from furoshiki.messages.store.turns import UNSPOKEN
from furoshiki.messages.values import COMPANION, USER

_UNSPOKEN = ", ".join(f"'{kind}'" for kind in sorted(UNSPOKEN))


def read_feelings(db: sqlite3.Connection, since: datetime, what: str) -> list[tuple[datetime, dict[str, float]]]:
    """Read emotions or needs (`what` names the column) since a moment, oldest first."""
    if what not in ("emotions", "needs"):
        raise ValueError(f"feelings have no {what!r}")
    rows = db.execute(f"SELECT at, {what} AS figures FROM emotion_history WHERE at>=? ORDER BY at", (stamp(since),))  # noqa: S608
    return [(_moment(at), load(figures)) for at, figures in rows]


def user_needs(db: sqlite3.Connection, since: datetime) -> dict[str, list[tuple[datetime, float]]]:
    """Return changes of the user's needs since a moment and the values before, oldest first."""
    rows = db.execute(
        "SELECT need, at, level FROM (SELECT need, max(at) AS at, level FROM user_needs_history WHERE at<?1 "
        "GROUP BY need) UNION ALL "
        "SELECT need, at, level FROM (SELECT * FROM user_needs_history WHERE at>=?1 ORDER BY at, id)",
        (stamp(since),),
    )
    found: dict[str, list[tuple[datetime, float]]] = {}
    for row in rows:
        found.setdefault(row["need"], []).append((parse(row["at"]), row["level"]))
    return found


class Call(NamedTuple):
    """Model calls: cost in US dollars, duration in seconds, and the number they stand for."""

    at: datetime
    usd: float
    seconds: float
    calls: int


def calls(db: sqlite3.Connection, since: datetime) -> list[Call]:
    """Return the model calls since a moment, oldest first; old ones are daily sums."""
    rows = db.execute("SELECT at, cost_usd, latency_s, calls FROM llm_calls WHERE at>=? ORDER BY at", (stamp(since),))
    return [Call(_moment(at), usd, seconds, count) for at, usd, seconds, count in rows]


class Spoken(NamedTuple):
    """A turn: speaker, and the key of its mind's turn."""

    at: datetime
    by_companion: bool
    turn_key: str | None
    replies: bool


def read_spoken(db: sqlite3.Connection, since: datetime) -> list[Spoken]:
    """Return the turns since a moment, oldest first, without commands, reactions and silence."""
    rows = db.execute(
        "SELECT at, speaker, turn_key, kind FROM turns WHERE at>=? AND +source='live' AND replaced_by IS NULL "  # noqa: S608
        f"AND speaker IN ('{USER}', '{COMPANION}') AND kind NOT IN ({_UNSPOKEN}) ORDER BY at",
        (stamp(since),),
    )
    return [Spoken(_moment(at), who == COMPANION, key, kind == "text") for at, who, key, kind in rows]


_moment = datetime.fromisoformat  # parses what `stamp` writes, fast: a year has tens of thousands
