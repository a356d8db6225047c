"""What the oldest releases left, brought up to now, through a whole day: said, run, looked at, shown."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from furoshiki.app.jobs import JOBS, import_function
from furoshiki.core.database.connection import Database
from furoshiki.core.paths import ROOT
from furoshiki.faces.dashboard.frame import PAGES
from furoshiki.maintenance import upgrading
from furoshiki.world import World
from tests.life.house import House
from tests.support import filled
from tests.support.dashboard import Signed
from tests.support.only_words import only_words
from tests.support.world import START, FrozenClock

pytestmark = pytest.mark.slow

STATE = {
    "operator_settings.json": {"FUROSHIKI_BUBBLES": "sometimes", "FUROSHIKI_GONE": 1},
    "schedules.json": {"jobs": [{"name": "gone_job", "enabled": False}, {"name": "soul_engine", "priority": 1}]},
}
"""As an old release may have left them: less than is known now, and what nothing knows any more."""


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    path = tmp_path / "memory" / "longmemory.sqlite"
    filled.build(path)
    for name, held in STATE.items():
        (path.parent / name).write_text(json.dumps(held))
    assert upgrading.ensure(tmp_path, path, lambda: START)
    found = Database(path, busy_seconds=5.0)
    yield found
    found.close()


async def test_a_day_with_what_an_old_release_left(
    world: World, clock: FrozenClock, signed: Signed, caplog: pytest.LogCaptureFixture
) -> None:
    world = replace(world, ask=only_words)
    house = House(world, clock)
    for text in ("good morning", "what do you know about me?", "remind me tomorrow at 8 to call", "How do you feel?"):
        await house.say(text)
    for name, job in sorted(JOBS.items()):
        if not job.takes:
            for step in job.steps:
                done = import_function(step.use_case)(world)
                assert (await done if inspect.isawaitable(done) else done) is not None, (name, step)
        clock.at += timedelta(minutes=30)
    with world.database.read() as db:
        assert db.execute("SELECT count(*) FROM inbox WHERE state='failed'").fetchone()[0] == 0
    pages = signed("admin")
    for page in PAGES:
        pages.page(page.path)
    command = [sys.executable, "-I", "-S", str(ROOT / "scripts" / "doctor.py"), "--json", "--offline", "--dry-run"]
    told = subprocess.run([*command, "--data", str(world.home)], capture_output=True, text=True, check=False)
    wrong = [one for one in json.loads(told.stdout)["found"] if one["state"] == "wrong"]
    assert wrong == []
    assert [one.getMessage() for one in caplog.records if one.levelname == "ERROR"] == []
