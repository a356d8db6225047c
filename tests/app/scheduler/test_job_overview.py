"""How the jobs stand: who asks for each, and when it runs next."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from furoshiki.app.scheduler import job_overview
from furoshiki.app.scheduler.job_overview import Job
from furoshiki.app.scheduler.store import runs
from furoshiki.core.database.connection import Database

NOON = datetime(2026, 3, 24, 12, 0, tzinfo=UTC)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return tmp_path / "schedules.json"


def jobs(database: Database, own: Path, ticking: bool = True) -> dict[str, Job]:
    with database.read() as db:
        return {job.entry.name: job for job in job_overview.every(db, own, NOON, UTC, ticking)}


def test_it_is_told_who_asks_for_a_job(database: Database, own: Path) -> None:
    assert {job.origin for job in jobs(database, own).values()} == {"shipped"}
    mine = {"name": "mine", "script": "backup.py", "when": "daily 05:00"}
    own.write_text(json.dumps({"jobs": [{"name": "backup", "when": "daily 02:00"}, mine]}))
    found = jobs(database, own)
    assert (found["backup"].origin, found["backup"].changed, found["mine"].origin) == ("changed", ("when",), "own")


def test_what_the_brain_wrote_down_long_ago_of_a_frequent_job_is_not_when_it_runs_next(
    database: Database, own: Path
) -> None:
    with database.write() as db:
        runs.note_run(db, "flush_scratch", NOON - timedelta(minutes=50), NOON, 0, NOON - timedelta(minutes=45))
        runs.note_due(db, "backup", NOON + timedelta(hours=13, minutes=7))
    found = jobs(database, own)
    coming = found["flush_scratch"].next_at
    assert coming is not None and NOON < coming <= NOON + timedelta(minutes=5)
    assert found["backup"].next_at == NOON + timedelta(hours=13, minutes=7)


def test_a_job_that_shares_its_script_has_the_runs_of_both(database: Database, own: Path) -> None:
    with database.write() as db:
        runs.finish(db, runs.begin(db, "consolidate_memory", NOON), NOON, 0, summary="both")
        runs.finish(db, runs.begin(db, "consolidate_memory_check", NOON), NOON, 1, summary="could not begin")
    found = jobs(database, own)
    assert found["consolidate_memory"].last and found["consolidate_memory"].last.summary == "both"
    assert found["consolidate_memory_check"].last
    assert found["consolidate_memory_check"].last.summary == "could not begin"
