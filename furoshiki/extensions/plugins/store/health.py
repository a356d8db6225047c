"""Success rate of recent scripts."""

import sqlite3
from datetime import datetime

from furoshiki.core.timestamps import stamp


def share(db: sqlite3.Connection, since: datetime) -> float:
    """Return the share of successful among finished runs since a time; 1 without runs."""
    row = db.execute(
        "SELECT count(*) AS every, sum(exit_code = 0) AS well FROM run_log WHERE started_at >= ? "
        "AND finished_at IS NOT NULL",
        (stamp(since),),
    ).fetchone()
    return float(row["well"]) / row["every"] if row["every"] else 1.0
