"""Recorded runs of plugins, failure counts, and automatic disabling."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from furoshiki.core.database.rows import change_rows, insert, to_row
from furoshiki.core.timestamps import parse, stamp
from furoshiki.extensions.plugins.values import Hook, Run, State


def record(db: sqlite3.Connection, run: Run, target: str | None, now: datetime) -> None:
    row = to_row(run, "output", target=target, error=run.error or None, log=run.output.log or None, at=now)
    insert(db, "plugin_runs", row)


def count_failures(db: sqlite3.Connection, plugin: str, hook: Hook) -> int:
    """Count and store a plugin's failures in a row at a hook since it was enabled; 0 when not
    enabled. Runs that could not start are neither failures nor successes."""
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
    """Disable a plugin with a reason; False when it was not enabled."""
    query = (
        "UPDATE plugins SET state = ?, reason = ?, failures = 0, changed_at = ? WHERE name = ? AND state = 'enabled'"
    )
    return change_rows(db, query, state, reason, stamp(now), plugin) == 1


def of(db: sqlite3.Connection, plugin: str, most: int, before: int | None = None) -> list[dict[str, Any]]:
    """Return a plugin's last runs, newest first, with ids below `before`; `at` is a datetime."""
    below = "" if before is None else "AND id<:before "
    query = f"SELECT * FROM plugin_runs WHERE plugin=:plugin {below}ORDER BY id DESC LIMIT :most"  # noqa: S608
    rows = db.execute(query, {"plugin": plugin, "before": before, "most": most})
    return [{**dict(row), "at": parse(row["at"])} for row in rows]


@dataclass(frozen=True)
class Sum:
    """Statistics of a plugin's runs: number, failures, cost in US dollars, and last time."""

    runs: int
    failed: int
    cost_usd: float
    last_at: datetime | None


def sums(db: sqlite3.Connection, since: datetime) -> dict[str, Sum]:
    """Return the statistics of each plugin since a time."""
    rows = db.execute(
        "SELECT plugin, count(*) AS runs, sum(status!='ok') AS failed, sum(cost_usd) AS cost, max(at) AS last "
        "FROM plugin_runs WHERE at>=? GROUP BY plugin",
        (stamp(since),),
    )
    return {row["plugin"]: Sum(row["runs"], row["failed"], row["cost"] or 0.0, parse(row["last"])) for row in rows}


def read_success_rate(db: sqlite3.Connection, since: datetime) -> float:
    """Return the share of successful among scripts' runs since a time; 1 without runs."""
    row = db.execute(
        "SELECT count(*) AS every, sum(exit_code = 0) AS well FROM run_log WHERE started_at >= ? "
        "AND finished_at IS NOT NULL",
        (stamp(since),),
    ).fetchone()
    return float(row["well"]) / row["every"] if row["every"] else 1.0
