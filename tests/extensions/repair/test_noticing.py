"""An error that comes back becomes one job, wherever it was left behind and however often it is looked for."""

from __future__ import annotations

import gzip
import json
import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from furoshiki.app.scheduler.store import runs
from furoshiki.core.database.connection import Database
from furoshiki.core.errors import NoMindAnswered
from furoshiki.core.timestamps import stamp
from furoshiki.extensions.repair import dispatching, due
from furoshiki.world import World
from tests.support.world import FrozenClock, Script

WAY = 'Traceback (most recent call last):\n  File "/x/a.py", line 3, in f\n    g()\nValueError: no row {}'


@pytest.fixture(autouse=True)
def at_home(world: World, model: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    model.lines = [NoMindAnswered("no model")] * 9
    monkeypatch.setenv("FUROSHIKI_DATA", str(world.settings.data))


def fails(
    world: World, hours: float, exit_code: int = 1, summary: str = "ValueError: no row 3", output: str = ""
) -> None:
    at = world.now - timedelta(hours=hours)
    with world.database.write() as db:
        run = runs.begin(db, "forecast", at - timedelta(seconds=5))
        runs.finish(db, run, at, exit_code, summary=summary, output=output)


def logs(world: World, name: str, *hours: float, packed: bool = False) -> Path:
    lines = [
        json.dumps(
            {
                "at": stamp(world.now - timedelta(hours=one)),
                "level": "error",
                "message": "",
                "traceback": WAY.format(number),
            }
        )
        for number, one in enumerate(hours)
    ]
    path = world.settings.data / "logs" / name
    path.parent.mkdir(exist_ok=True)
    content = "\n".join(lines).encode()
    path.write_bytes(gzip.compress(content) if packed else content)
    os.utime(path, (world.now.timestamp(),) * 2)
    return path


def jobs(database: Database) -> list[dict[str, Any]]:
    with database.read() as db:
        return [dict(row) for row in db.execute("SELECT * FROM repair_jobs ORDER BY id")]


def asked(world: World) -> str | None:
    with world.database.read() as db:
        return due.repair_dispatcher(db, world.now)


async def test_runs_that_failed_alike_become_one_job(world: World) -> None:
    for hours in (1, 2, 3):
        fails(world, hours, summary=f"ValueError: no row {hours}")
    assert asked(world)
    assert (await dispatching.dispatch(world)).data["new"] == 1
    assert (await dispatching.dispatch(world)).data["new"] == 0
    (job,) = jobs(world.database)
    assert (job["source"], job["kind"], job["times"], job["state"]) == ("forecast", "ValueError", 3, "proposed")
    assert "no row 1" in job["evidence"]


async def test_the_way_to_an_error_is_taken_from_what_the_script_printed(world: World) -> None:
    for hours in (1, 2, 3):
        fails(world, hours, summary="something", output=f"words\n{WAY.format(3)}")
    await dispatching.dispatch(world)
    (job,) = jobs(world.database)
    assert job["kind"] == "ValueError" and 'File "/x/a.py"' in job["evidence"]


async def test_errors_in_logs_become_one_job_also_when_they_were_rotated_meanwhile(world: World) -> None:
    logs(world, "brain.log", 1)
    logs(world, "brain.log.1.gz", 2, packed=True)
    logs(world, "brain.log.2.gz", 3, packed=True)
    await dispatching.dispatch(world)
    assert [(job["source"], job["times"]) for job in jobs(world.database)] == [("brain", 3)]


async def test_what_was_stopped_or_cannot_be_read_is_no_error(world: World) -> None:
    for hours in (1, 2, 3):
        fails(world, hours, exit_code=143, summary="stopped")
    logs(world, "brain.log")
    logs(world, "brain.log.1.gz", 1, 2, 3)  # no archive at all
    logs(world, "listener.log", 25, 26, 27)
    (world.settings.data / "logs" / "stalled.log").write_text(WAY * 3)
    assert asked(world) is None
    assert not (await dispatching.dispatch(world)).did


async def test_a_job_learns_that_its_error_came_again_and_closes_when_it_does_not(
    world: World, clock: FrozenClock
) -> None:
    for hours in (1, 2, 3):
        fails(world, hours)
    await dispatching.dispatch(world)
    assert asked(world) is None
    clock.pass_(hours=5)
    fails(world, 0)
    assert asked(world)
    await dispatching.dispatch(world)
    (job,) = jobs(world.database)
    assert job["last_at"] == stamp(clock.now()) and job["times"] == 4
    clock.pass_(days=7)
    assert asked(world) is None
    clock.pass_(seconds=1)
    assert asked(world)
    assert (await dispatching.dispatch(world)).data["over"] == 1
    (job,) = jobs(world.database)
    assert (job["state"], job["result"]) == ("closed", dispatching.STOPPED)
    assert asked(world) is None


async def test_after_a_decision_an_error_is_counted_again(world: World, clock: FrozenClock) -> None:
    for hours in (1, 2, 3):
        fails(world, hours)
    await dispatching.dispatch(world)
    with world.database.write() as db:
        db.execute("UPDATE repair_jobs SET state='applied', changed_at=?", (stamp(clock.now()),))
    for _ in range(2):
        clock.pass_(minutes=10)
        fails(world, 0)
        assert asked(world) is None
    clock.pass_(minutes=10)
    fails(world, 0)
    await dispatching.dispatch(world)
    assert [job["state"] for job in jobs(world.database)] == ["applied", "proposed"]
