"""Scripts killed at every named point: the next run completes the work, once, and nothing is damaged."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from furoshiki.agenda.store import tasks
from furoshiki.core.crash_points import CRASHED
from furoshiki.core.database.connection import Database
from furoshiki.core.paths import ROOT
from furoshiki.maintenance import backup
from furoshiki.maintenance import store as backup_store
from tests.support.backups import listed

pytestmark = pytest.mark.faults

ALWAYS = ("store.before_commit", "store.after_commit", "run.begun", "run.done")
POINTS = {
    "soul_engine": (
        *ALWAYS,
        "store.before_commit:2",
        "atomic.before_rename",
        "atomic.after_rename",
        "soul.state_written",
    ),
    "outreach_pulse": (*ALWAYS, "store.before_commit:2", "store.after_commit:2", "reminders.spoken"),
    "backup": (
        *ALWAYS,
        "backup.snapshot_taken",
        "backup.file_added",
        "backup.before_rename",
        "backup.after_rename",
    ),
}


def run(script: str, data: Path, crash_at: str = "") -> tuple[int, dict[str, Any]]:
    """Exit code and the script's JSON line."""
    environ = {**os.environ, "FUROSHIKI_DATA": str(data), "FUROSHIKI_CRASH_AT": crash_at, "FUROSHIKI_TIMEZONE": "UTC"}
    done = subprocess.run(
        [sys.executable, "-P", str(ROOT / "scripts" / f"{script}.py"), "--json", "--now", "2026-03-24T15:00"],
        env=environ,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.returncode, json.loads(done.stdout.splitlines()[-1]) if done.stdout.strip() else {}


@pytest.mark.parametrize(("script", "point"), [(script, point) for script in POINTS for point in POINTS[script]])
def test_what_was_cut_off_is_completed_by_the_next_run(
    script: str, point: str, database: Database, tmp_path: Path
) -> None:
    with database.write() as db:
        tasks.add(
            db,
            tasks.REMINDERS,
            "water the fern",
            datetime(2026, 3, 24, 9, tzinfo=UTC),
            due_at=datetime(2026, 3, 24, 14, 59, tzinfo=UTC),
            channel="console",
            chat_id="console",
        )
    database.close()
    assert run(script, tmp_path, point)[0] == CRASHED
    code, report = run(script, tmp_path)
    assert code == 0, report
    assert backup_store.faults(database.path) == []
    with database.read() as db:
        said = db.execute("SELECT count(*) FROM outbox").fetchone()[0]
        ends = [row[0] for row in db.execute("SELECT exit_code FROM run_log ORDER BY id")]
    assert said == (1 if script == "outreach_pulse" else 0)
    if script == "backup":
        whole = listed(tmp_path / "backups")
        assert whole
        for number, path in enumerate(whole):
            backup.verify(path, tmp_path / f"check{number}")
        assert not list((tmp_path / "backups").glob(".making-*"))
    if script != "outreach_pulse" or report["did"]:
        assert ends[-1] == 0
