"""Which skills a turn has run, so that a turn that is begun again after a crash does not do anything twice."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from furoshiki.core.database.rows import clean, dump, from_row, load
from furoshiki.core.timestamps import parse, stamp

PRESSED = "press-"
"""What the digest of a run begins with that was no skill's, but what came of a button."""


@dataclass(frozen=True)
class Run:
    """A skill that was run, and what came of it."""

    id: int
    turn_key: str
    name: str
    result: Mapping[str, Any]


def find_result(db: sqlite3.Connection, turn_key: str, digest: str) -> Mapping[str, Any] | None:
    """The result this turn already has for this call, None when it has not been run."""
    row = db.execute("SELECT result FROM skill_runs WHERE turn_key=? AND digest=?", (turn_key, digest)).fetchone()
    return None if row is None else load(row["result"])


def ran(db: sqlite3.Connection, turn_key: str, names: Sequence[str]) -> bool:
    """Whether a turn has run any of these skills with success."""
    marks = ", ".join("?" * len(names))
    row = db.execute(
        f"SELECT 1 FROM skill_runs WHERE turn_key=? AND ok=1 AND name IN ({marks}) LIMIT 1",  # noqa: S608
        (turn_key, *names),
    ).fetchone()
    return row is not None


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
    """Keep a result, in the same transaction as what the skill changed."""
    db.execute(
        "INSERT INTO skill_runs (turn_key, digest, name, args, ok, result, latency_ms, at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (turn_key, digest, name, clean(dump(dict(args))), int(ok), clean(dump(dict(result))), latency_ms, stamp(now)),
    )


def settle(db: sqlite3.Connection, turn_key: str, digest: str, result: Mapping[str, Any], ok: bool, ms: float) -> int:
    """Keep what came of a run that was noted before it began; returns its row."""
    row = db.execute(
        "UPDATE skill_runs SET ok=?, result=?, latency_ms=? WHERE turn_key=? AND digest=? RETURNING id",
        (int(ok), clean(dump(dict(result))), ms, turn_key, digest),
    ).fetchone()
    return int(row["id"])


def ran_besides(db: sqlite3.Connection, turn_key: str, names: Sequence[str]) -> bool:
    """Whether a turn has run anything else than these skills, with whatever success."""
    marks = ", ".join("?" * len(names))
    row = db.execute(
        f"SELECT 1 FROM skill_runs WHERE turn_key=? AND name NOT IN ({marks}) LIMIT 1",  # noqa: S608
        (turn_key, *names),
    ).fetchone()
    return row is not None


def statistics(db: sqlite3.Connection, since: datetime) -> dict[str, dict[str, float]]:
    """Per skill since a moment: runs, share that failed, mean milliseconds."""
    rows = db.execute(
        "SELECT name, count(*) AS runs, avg(1 - ok) AS failed, avg(latency_ms) AS ms FROM skill_runs WHERE at>? "
        "AND digest NOT GLOB ? GROUP BY name ORDER BY name",
        (stamp(since), f"{PRESSED}*"),
    ).fetchall()
    return {row["name"]: {"runs": row["runs"], "failed": row["failed"], "ms": round(row["ms"], 1)} for row in rows}


def searches(db: sqlite3.Connection, since: datetime) -> tuple[int, int]:
    """How often memory was searched since a moment, and how often nothing was found; of those that say how much was."""
    row = db.execute(
        "SELECT count(found) AS times, coalesce(sum(found=0), 0) AS empty FROM "
        "(SELECT json_extract(result, '$.data.found') AS found FROM skill_runs "
        "WHERE name='recall' AND ok=1 AND at>? AND digest NOT GLOB ?)",
        (stamp(since), f"{PRESSED}*"),
    ).fetchone()
    return int(row["times"]), int(row["empty"])


def results(db: sqlite3.Connection, since: datetime, limit: int) -> list[tuple[datetime, str, str]]:
    """What came of the newest successful runs since a moment, oldest first: when, which skill, and its words.

    Without those that hold words of others, a plugin's or such as memory kept: they are not the companion's.
    """
    rows = db.execute(
        "SELECT at, name, json_extract(result, '$.text') AS text FROM skill_runs WHERE ok=1 AND at>? "
        "AND digest NOT GLOB ? AND json_extract(result, '$.undone') IS NULL "
        "AND json_extract(result, '$.foreign') IS NOT 1 ORDER BY id DESC LIMIT ?",
        (stamp(since), f"{PRESSED}*", limit),
    ).fetchall()
    return [(parse(row["at"]), row["name"], row["text"] or "") for row in reversed(rows)]


def of_turn(db: sqlite3.Connection, turn_key: str, name: str) -> list[Run]:
    """What a turn has run of one skill with success, oldest first."""
    rows = db.execute(
        "SELECT id, turn_key, name, result FROM skill_runs WHERE turn_key=? AND name=? AND ok=1 ORDER BY id",
        (turn_key, name),
    ).fetchall()
    return list(map(_read_run, rows))


def read_done(db: sqlite3.Connection, turn_key: str) -> list[tuple[str, Mapping[str, Any]]]:
    """What a turn has run with success, or asked to be allowed, oldest first: names and arguments."""
    rows = db.execute(
        "SELECT name, args FROM skill_runs WHERE turn_key=? AND ok=1 AND digest NOT GLOB ? ORDER BY id",
        (turn_key, f"{PRESSED}*"),
    ).fetchall()
    return [(row["name"], load(row["args"])) for row in rows]


def drop_besides(db: sqlite3.Connection, turn_key: str, names: Sequence[str]) -> None:
    """Keep of what a turn has run only these skills."""
    marks = ", ".join("?" * len(names))
    db.execute(f"DELETE FROM skill_runs WHERE turn_key=? AND name NOT IN ({marks})", (turn_key, *names))  # noqa: S608


def recent(db: sqlite3.Connection, names: Sequence[str], limit: int = 30) -> list[Run]:
    """The newest successful runs of these skills that have not been taken back, newest first."""
    marks = ", ".join("?" * len(names))
    rows = db.execute(
        "SELECT id, turn_key, name, result FROM skill_runs WHERE ok=1 "  # noqa: S608
        f"AND json_extract(result, '$.undone') IS NULL AND name IN ({marks}) ORDER BY id DESC LIMIT ?",
        (*names, limit),
    ).fetchall()
    return list(map(_read_run, rows))


def any_foreign(db: sqlite3.Connection, keys: str) -> bool:
    """Whether anything that was run under keys which begin so has brought words of others."""
    row = db.execute(
        "SELECT 1 FROM skill_runs WHERE turn_key>=? AND turn_key<? AND json_extract(result, '$.foreign') LIMIT 1",
        (keys, f"{keys}\U0010ffff"),
    ).fetchone()
    return row is not None


def take_back(db: sqlite3.Connection, run_id: int) -> bool:
    """Mark a run as taken back; False when it has been already."""
    return (
        db.execute(
            "UPDATE skill_runs SET result=json_set(result, '$.undone', 1) "
            "WHERE id=? AND json_extract(result, '$.undone') IS NULL",
            (run_id,),
        ).rowcount
        == 1
    )


_read_run = partial(from_row, Run)
