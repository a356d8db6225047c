"""The skills that each turn has run, so that a restarted turn does not repeat them."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from furoshiki.core.database.rows import change_rows, dump, first, from_row, has_row, insert, load, marks
from furoshiki.core.framing import clean
from furoshiki.core.timestamps import parse, stamp

PRESSED = "press-"  # the digest prefix of runs that record a pressed button, not a skill


@dataclass(frozen=True)
class Run:
    """A skill's run and its result."""

    id: int
    turn_key: str
    name: str
    result: Mapping[str, Any]


def find_result(db: sqlite3.Connection, turn_key: str, digest: str) -> Mapping[str, Any] | None:
    """Return this turn's result for this call, None if it was not run."""
    rows = db.execute("SELECT result FROM skill_runs WHERE turn_key=? AND digest=?", (turn_key, digest))
    return first(rows, lambda row: load(row["result"]))


def ran(db: sqlite3.Connection, turn_key: str, names: Sequence[str]) -> bool:
    query = f"SELECT 1 FROM skill_runs WHERE turn_key=? AND ok=1 AND name IN ({marks(names)}) LIMIT 1"  # noqa: S608
    return has_row(db, query, turn_key, *names)


def add(
    db: sqlite3.Connection,
    turn_key: str,
    digest: str,
    name: str,
    args: Mapping[str, Any],
    result: Mapping[str, Any],
    ok: bool,
    latency_ms: float,
    now: datetime,
) -> None:
    """Store a result, in the same transaction as the skill's changes."""
    row = {"turn_key": turn_key, "digest": digest, "name": name, "args": args, "ok": ok, "result": result}
    insert(db, "skill_runs", {**row, "latency_ms": latency_ms, "at": now})


def settle(db: sqlite3.Connection, turn_key: str, digest: str, result: Mapping[str, Any], ok: bool, ms: float) -> int:
    """Store the result of a run that was recorded before it began; return its row id."""
    query = "UPDATE skill_runs SET ok=?, result=?, latency_ms=? WHERE turn_key=? AND digest=? RETURNING id"
    row = db.execute(query, (int(ok), clean(dump(dict(result))), ms, turn_key, digest)).fetchone()
    return int(row["id"])


def ran_besides(db: sqlite3.Connection, turn_key: str, names: Sequence[str]) -> bool:
    """Whether a turn has run any other skill than these, successfully or not."""
    query = f"SELECT 1 FROM skill_runs WHERE turn_key=? AND name NOT IN ({marks(names)}) LIMIT 1"  # noqa: S608
    return has_row(db, query, turn_key, *names)


def statistics(db: sqlite3.Connection, since: datetime) -> dict[str, dict[str, float]]:
    """Return per skill since a time: runs, share that failed, mean milliseconds."""
    rows = db.execute(
        "SELECT name, count(*) AS runs, avg(1 - ok) AS failed, avg(latency_ms) AS ms FROM skill_runs WHERE at>? "
        "AND digest NOT GLOB ? GROUP BY name ORDER BY name",
        (stamp(since), f"{PRESSED}*"),
    ).fetchall()
    return {row["name"]: {"runs": row["runs"], "failed": row["failed"], "ms": round(row["ms"], 1)} for row in rows}


def searches(db: sqlite3.Connection, since: datetime) -> tuple[int, int]:
    """Return how often memory was searched since a time, and how often without result (for runs
    that store the number found)."""
    row = db.execute(
        "SELECT count(found) AS times, coalesce(sum(found=0), 0) AS empty FROM "
        "(SELECT json_extract(result, '$.data.found') AS found FROM skill_runs "
        "WHERE name='recall' AND ok=1 AND at>? AND digest NOT GLOB ?)",
        (stamp(since), f"{PRESSED}*"),
    ).fetchone()
    return int(row["times"]), int(row["empty"])


def results(db: sqlite3.Connection, since: datetime, limit: int) -> list[tuple[datetime, str, str]]:
    """Return the newest successful runs since a time, oldest first: time, skill, and text.

    Results with other people's or a plugin's words are left out, as they are not the companion's.
    """
    rows = db.execute(
        "SELECT at, name, json_extract(result, '$.text') AS text FROM skill_runs WHERE ok=1 AND at>? "
        "AND digest NOT GLOB ? AND json_extract(result, '$.undone') IS NULL "
        "AND json_extract(result, '$.foreign') IS NOT 1 ORDER BY id DESC LIMIT ?",
        (stamp(since), f"{PRESSED}*", limit),
    ).fetchall()
    return [(parse(row["at"]), row["name"], row["text"] or "") for row in reversed(rows)]


def of_turn(db: sqlite3.Connection, turn_key: str, name: str) -> list[Run]:
    """Return a turn's successful runs of one skill, oldest first."""
    query = "SELECT id, turn_key, name, result FROM skill_runs WHERE turn_key=? AND name=? AND ok=1 ORDER BY id"
    rows = db.execute(query, (turn_key, name)).fetchall()
    return list(map(_read_run, rows))


def read_done(db: sqlite3.Connection, turn_key: str) -> list[tuple[str, Mapping[str, Any]]]:
    """Return a turn's successful or requested runs, oldest first: names and arguments."""
    query = "SELECT name, args FROM skill_runs WHERE turn_key=? AND ok=1 AND digest NOT GLOB ? ORDER BY id"
    rows = db.execute(query, (turn_key, f"{PRESSED}*")).fetchall()
    return [(row["name"], load(row["args"])) for row in rows]


def drop_besides(db: sqlite3.Connection, turn_key: str, names: Sequence[str]) -> None:
    """Delete a turn's runs except of these skills."""
    query = f"DELETE FROM skill_runs WHERE turn_key=? AND name NOT IN ({marks(names)})"  # noqa: S608
    db.execute(query, (turn_key, *names))


def recent(db: sqlite3.Connection, names: Sequence[str], limit: int = 30) -> list[Run]:
    """Return the newest successful runs of these skills that were not undone, newest first."""
    rows = db.execute(
        "SELECT id, turn_key, name, result FROM skill_runs WHERE ok=1 "  # noqa: S608
        f"AND json_extract(result, '$.undone') IS NULL AND name IN ({marks(names)}) ORDER BY id DESC LIMIT ?",
        (*names, limit),
    ).fetchall()
    return list(map(_read_run, rows))


def any_foreign(db: sqlite3.Connection, keys: str) -> bool:
    """Whether any run with a turn key of this prefix brought other people's words."""
    query = "SELECT 1 FROM skill_runs WHERE turn_key>=? AND turn_key<? AND json_extract(result, '$.foreign') LIMIT 1"
    return has_row(db, query, keys, f"{keys}\U0010ffff")


def take_back(db: sqlite3.Connection, run_id: int) -> bool:
    """Mark a run as undone; return False if it was already."""
    query = (
        "UPDATE skill_runs SET result=json_set(result, '$.undone', 1) "
        "WHERE id=? AND json_extract(result, '$.undone') IS NULL"
    )
    return change_rows(db, query, run_id) == 1


_read_run = partial(from_row, Run)
