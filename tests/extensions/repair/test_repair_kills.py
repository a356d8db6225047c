"""Killed at any point of a repair, the script is the old one or the new one; the next run brings the job to its end."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from furoshiki.app.scheduler.store import runs
from furoshiki.models.llm.values import Answer, Question
from tests.extensions.repair.conftest import BROKEN, DIFF, FILE, MENDED, WORSE, says
from tests.support import job_runs
from tests.support.deaths import Trial, Work, opened, rows_in

pytestmark = [pytest.mark.faults, pytest.mark.slow]

NOW = datetime(2026, 5, 13, 18, 30, tzinfo=UTC)
SCRATCH = ".forecast.py.new"
"""What a process that died may leave beside the script; the next run removes it."""


def fill(home: Path) -> None:
    """A plugin without tests whose script failed three times; homes are copied to the folder "home" beside this one."""
    script = home / FILE
    script.parent.mkdir(parents=True)
    script.write_text(BROKEN)
    where = home.parent / "home" / FILE
    way = f"Traceback (most recent call last):\n  File \"{where}\", line 7, in lines\n    …\nKeyError: 'rain'\n"
    with opened(home) as database, database.write() as db:
        for minutes in (1, 2, 3):
            run = runs.begin(db, "forecast", NOW - timedelta(minutes=minutes, seconds=5))
            runs.finish(db, run, NOW - timedelta(minutes=minutes), 1, summary="KeyError: 'rain'", output=way)


def left(home: Path) -> dict[str, Any]:
    """What became of the script and of the job, and what lies about."""
    return {
        "script": (home / FILE).read_text(),
        "beside": sorted(path.name for path in (home / FILE).parent.iterdir()),
        "proposals": sorted(path.name for path in home.glob("proposals/[!.]*")),
        **rows_in(home, {"jobs": "SELECT state, file, kind, times, result FROM repair_jobs"}),
    }


@contextlib.contextmanager
def old_or_new(home: Path) -> Iterator[None]:
    assert (home / FILE).read_text() in (BROKEN, MENDED, BROKEN.replace("day['rain']", "day['RAIN']"))
    assert {path.name for path in (home / FILE).parent.iterdir()} <= {"forecast.py", SCRATCH}
    yield


async def mind(diff: str, question: Question) -> Answer:
    return says(diff)(question)


def mend(home: Path) -> None:
    job_runs.run(home, "repair_dispatcher", NOW, functools.partial(mind, DIFF))


def spoil(home: Path) -> None:
    job_runs.run(home, "repair_dispatcher", NOW, functools.partial(mind, WORSE))


def test_a_change_that_works_is_made_once_wherever_it_was_killed(empty_database: Path, tmp_path: Path) -> None:
    trial = Trial(Work(mend, fill, left, again=old_or_new), empty_database, tmp_path)
    assert (trial.alive["script"], trial.alive["jobs"][0][0]) == (MENDED, "applied")
    assert {"repair.kept:1", "repair.intended:1", "confined.before_rename:1", "repair.changed:1"} <= set(trial.points)
    trial.survives_each()


def test_a_change_that_does_not_work_is_taken_back_wherever_it_was_killed(empty_database: Path, tmp_path: Path) -> None:
    trial = Trial(Work(spoil, fill, left, again=old_or_new), empty_database, tmp_path)
    assert (trial.alive["script"], trial.alive["jobs"][0][0]) == (BROKEN, "rolled_back")
    trial.survives_each(point for point in trial.points if point.startswith(("repair.", "confined.", "atomic.")))


def test_what_never_comes_to_an_end_is_taken_back(empty_database: Path, tmp_path: Path) -> None:
    trial = Trial(Work(mend, fill, left), empty_database, tmp_path)
    assert trial.alive["script"] == MENDED
    found = trial.harm(*["repair.checked:1"] * 3)
    assert any("rolled_back" in one for one in found)
    assert ((tmp_path / "home") / FILE).read_text() == BROKEN
