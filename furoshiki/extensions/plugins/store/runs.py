"""The runs of plugins on record, and what a failure, or three of them, makes of a plugin."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from furoshiki.core.database.rows import insert, to_row
from furoshiki.core.timestamps import parse, stamp
from furoshiki.extensions.plugins.values import Hook, Run, State


def record(db: sqlite3.Connection, run: Run, target: str | None, now: datetime) -> None:
    """Put a run on record."""
    row = to_row(run, "output", target=target, error=run.error or None, log=run.output.log or None, at=now)
    insert(db, "plugin_runs", row)


def count_failures(db: sqlite3.Connection, plugin: str, hook: Hook) -> int:
    """How often it failed at a hook, in a row, since it was last switched on. 0 when it is not enabled.

    What could not be started is neither a failure of its own nor a success.
    """
    row = db.execute(
        "UPDATE plugins SET failures = (SELECT count(*) FROM plugin_runs WHERE plugin = :plugin AND hook = :hook "
        "AND status NOT IN ('ok', 'no_sandbox', 'changed') AND at >= plugins.changed_at AND id > coalesce((SELECT "
        "max(id) FROM plugin_runs WHERE plugin = :plugin AND hook = :hook AND status = 'ok'), 0)) "
        "WHERE name = :plugin AND state = 'enabled' RETURNING failures",
        {"plugin": plugin, "hook": hook},
    ).fetchone()
    return int(row[0]) if row else 0


def forget_failures(db: sqlite3.Connection, plugin: str) -> None:
    """Reset the count of failures after a success."""
    db.execute("UPDATE plugins SET failures = 0 WHERE name = ? AND failures > 0", (plugin,))


def switch_off(db: sqlite3.Connection, plugin: str, state: State, reason: str, now: datetime) -> bool:
    """Let it run no more until its owner says so, and say why. One that is off already stays as it is: False."""
    done = db.execute(
        "UPDATE plugins SET state = ?, reason = ?, failures = 0, changed_at = ? WHERE name = ? AND state = 'enabled'",
        (state, reason, stamp(now), plugin),
    )
    return done.rowcount == 1


def of(db: sqlite3.Connection, plugin: str, most: int, before: int | None = None) -> list[dict[str, Any]]:
    """The last runs of a plugin (of those before one), newest first; `at` is a moment."""
    below = "" if before is None else "AND id<:before "
    rows = db.execute(
        f"SELECT * FROM plugin_runs WHERE plugin=:plugin {below}ORDER BY id DESC LIMIT :most",  # noqa: S608 - our own words
        {"plugin": plugin, "before": before, "most": most},
    )
    return [{**dict(row), "at": parse(row["at"])} for row in rows]


@dataclass(frozen=True)
class Sum:
    """What came of a plugin's runs: how many, how many failed, what they cost in US dollars, and the last one."""

    runs: int
    failed: int
    cost_usd: float
    last_at: datetime | None


def sums(db: sqlite3.Connection, since: datetime) -> dict[str, Sum]:
    """What came of the runs of each plugin since a moment."""
    rows = db.execute(
        "SELECT plugin, count(*) AS runs, sum(status!='ok') AS failed, sum(cost_usd) AS cost, max(at) AS last "
        "FROM plugin_runs WHERE at>=? GROUP BY plugin",
        (stamp(since),),
    )
    return {row["plugin"]: Sum(row["runs"], row["failed"], row["cost"] or 0.0, parse(row["last"])) for row in rows}
