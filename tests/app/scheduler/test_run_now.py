"""A job begun by hand: on record whatever it did, as if the brain had begun it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from furoshiki.app.scheduler import run_now, schedule_file
from furoshiki.app.scheduler.store.runs import Run
from tests.app.scheduler.conftest import House

pytestmark = pytest.mark.slow


def run(house: House, tmp_path: Path, script: str, timeout: int = 30) -> Run:
    shipped = tmp_path / "none.json"
    shipped.write_text('{"jobs": []}')
    house.schedule({"name": "by_hand", "script": script, "when": "every hour", "timeout": timeout})
    entry = schedule_file.read(house.data / "memory" / "schedules.json", shipped, house.scripts)["by_hand"]
    begun = run_now.start(entry, house.data, house.database, lambda: house.now, sys.executable, os.environ, str)
    begun.join(20)
    [found] = house.log(entry.recorded_as)
    return found


@pytest.mark.parametrize(
    ("script", "code", "summary", "did"),
    [("work.py", 0, "worked", True), ("idle.py", 0, "nothing to do", False), ("fail.py", 3, "went wrong", False)],
)
def test_how_it_ended_is_on_record(
    house: House, tmp_path: Path, script: str, code: int, summary: str, did: bool
) -> None:
    found = run(house, tmp_path, script)
    assert (found.exit_code, found.summary, found.did_work) == (code, summary, did)
    assert (found.output is not None) is bool(code) and found.cpu_s and found.peak_mb


def test_one_that_takes_too_long_is_stopped(house: House, tmp_path: Path) -> None:
    found = run(house, tmp_path, "hang.py", timeout=1)
    assert found.exit_code == -15 and "longer than its time limit" in (found.summary or "")
