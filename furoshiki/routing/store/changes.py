"""The numbers of the router that were moved: why, from what to what, and what became of it. Nothing is removed."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from typing import cast

from furoshiki.core.database.rows import insert, moment
from furoshiki.core.timestamps import parse, stamp
from furoshiki.routing.rules.changes import Change, Move

_COLUMNS = (
    "id, parameter, value_before, value_after, pressure, pressure_before, pressure_after, state, version, at, "
    "measured_at"
)


def every(db: sqlite3.Connection) -> list[Change]:
    """All changes ever made, oldest first."""
    return [_change(row) for row in db.execute(f"SELECT {_COLUMNS} FROM router_changes ORDER BY id")]  # noqa: S608


def version(db: sqlite3.Connection) -> int:
    """The version of the numbers that hold by these rows; 0 when none was ever moved."""
    found: int = db.execute("SELECT coalesce(max(version), 0) FROM router_changes").fetchone()[0]
    return found


def add(db: sqlite3.Connection, move: Move, now: datetime) -> int:
    """A number was moved; its change is measured from now on. Returns its id."""
    row: dict[str, object] = {
        "parameter": move.parameter,
        "value_before": move.before,
        "value_after": move.after,
        "pressure": move.pressure.key,
        "pressure_before": move.pressure.value,
        "version": version(db) + 1,
        "at": stamp(now),
    }
    return cast(int, insert(db, "router_changes", row))


def keep(db: sqlite3.Connection, change_id: int, after: float, now: datetime) -> bool:
    """It helped: the number stays. False when that was decided meanwhile."""
    return _decide(db, change_id, "kept", after, None, now)


def revert(db: sqlite3.Connection, change_id: int, after: float | None, now: datetime) -> bool:
    """The number goes back: nothing was better for it, or (`after` is None) the owner wants it so. False when it is
    back."""
    return _decide(db, change_id, "reverted", after, version(db) + 1, now)


def _decide(
    db: sqlite3.Connection, change_id: int, state: str, after: float | None, made: int | None, now: datetime
) -> bool:
    done = db.execute(
        "UPDATE router_changes SET state=?, pressure_after=coalesce(?, pressure_after), measured_at=?, "
        "version=coalesce(?, version) WHERE id=? AND state!=? AND (state='measuring' OR ?='reverted')",
        (state, after, stamp(now), made, change_id, state, state),
    )
    return done.rowcount == 1


def _change(row: sqlite3.Row) -> Change:
    return Change(
        id=row["id"],
        parameter=row["parameter"],
        value_before=row["value_before"],
        value_after=row["value_after"],
        pressure=row["pressure"],
        pressure_before=row["pressure_before"],
        pressure_after=row["pressure_after"],
        state=row["state"],
        version=row["version"],
        at=parse(row["at"]),
        measured_at=moment(row["measured_at"]),
    )
