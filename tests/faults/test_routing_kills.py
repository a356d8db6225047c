"""Killed while it moves one of the router's numbers, or takes one back: rows and file agree when it has run again."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from furoshiki.routing.rules.changes import Move, Pressure
from furoshiki.routing.store import changes
from tests.support import job_runs
from tests.support.deaths import Trial, Work, opened, rows_in
from tests.support.routing import decided

pytestmark = [pytest.mark.faults, pytest.mark.slow]

NOW = datetime(2026, 5, 13, 18, 30, tzinfo=UTC)
FILE = "memory/mode_router.json"


def answered(home: Path) -> None:
    """Most of what was said was simply answered in words."""
    with opened(home) as database, database.write() as db:
        decided(db, NOW, 19)
        decided(db, NOW, mode="ACT")


def tried(home: Path) -> None:
    """The same two days after a number was moved against it."""
    with opened(home) as database, database.write() as db:
        moved = Move("respond_base", 0.5, 0.48, Pressure("respond_share", 0.2, 0.1))
        changes.add(db, moved, NOW - timedelta(hours=49))
        decided(db, NOW, 19)
        decided(db, NOW, mode="ACT")
    (home / FILE).write_text(json.dumps({"version": 1, "weights": {"respond_base": 0.48}}))


def left(home: Path) -> dict[str, Any]:
    path = home / FILE
    return {
        "file": json.loads(path.read_text()) if path.exists() else None,
        **rows_in(home, {"changes": "SELECT parameter, value_after, state, version FROM router_changes ORDER BY id"}),
    }


@contextlib.contextmanager
def whole(home: Path) -> Iterator[None]:
    """Where it died the router reads a whole file, the old one or the new one."""
    if (home / FILE).exists():
        assert set(json.loads((home / FILE).read_text())) == {"version", "weights"}
    yield


def review(home: Path) -> None:
    job_runs.run(home, "routing_review", NOW)


def test_wherever_it_dies_one_number_is_moved_once_and_the_router_reads_it(
    empty_database: Path, tmp_path: Path
) -> None:
    trial = Trial(Work(review, answered, left, again=whole), empty_database, tmp_path)
    assert trial.alive["file"] == {"version": 1, "weights": {"respond_base": 0.48}}
    assert {"router.before_commit:1", "router.changed:1", "router.written:1"} <= set(trial.points)
    trial.survives_each(point for point in trial.points if point.startswith(("router.", "atomic.")))


def test_wherever_it_dies_what_did_not_help_is_taken_back_once(empty_database: Path, tmp_path: Path) -> None:
    trial = Trial(Work(review, tried, left, again=whole), empty_database, tmp_path)
    assert trial.alive["file"] == {"version": 2, "weights": {}}
    assert [tuple(one) for one in trial.alive["changes"]] == [("respond_base", 0.48, "reverted", 2)]
    trial.survives_each(point for point in trial.points if point.startswith(("router.", "atomic.")))
