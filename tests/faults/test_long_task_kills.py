"""Killed again and again while it works on a long task, it does every step of it once, and tells of it once."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from furoshiki.owner.agenda.store import persistent_tasks
from tests.support import job_runs
from tests.support.deaths import Trial, Work, opened, rows_in
from tests.support.long_tasks import TEXTS, Thinker

pytestmark = [pytest.mark.faults, pytest.mark.slow]

BEGAN = datetime(2026, 3, 3, 10, tzinfo=UTC)
RUNS = 4
OWN, ANY, MOMENTS = 12, 6, 6
"""Deaths at points of its own work, at any point, and by SIGKILL at some moment. All 200 points: 100 seconds."""

LEFT = {
    "task": "SELECT state, coverage, result, reason, confidence FROM persistent_tasks",
    "steps": "SELECT number, text, depends_on, state, attempts, result FROM persistent_task_steps ORDER BY number",
    "done": "SELECT title, state, count(*) FROM tasks GROUP BY title, state ORDER BY title",
    "skills": "SELECT turn_key, name, args, count(*) FROM skill_runs GROUP BY 1, 2, 3 ORDER BY 1",
    "rounds": "SELECT loop_key, number, stopped FROM act_iterations ORDER BY loop_key, number",
    "told": "SELECT dedupe_key, summary FROM mind_queue WHERE state='pending'",
}


def work(home: Path, began: datetime = BEGAN) -> None:
    """Run the worker every half hour."""
    for number in range(RUNS):
        job_runs.run(home, "persistent_task_worker", began + number * timedelta(minutes=30), Thinker())


def days_later(home: Path) -> None:
    work(home, BEGAN + timedelta(days=2))


def accepted(home: Path) -> None:
    with opened(home) as database, database.write() as db:
        goal = "A short table of six light tents for June with price and weight."
        task = persistent_tasks.propose(db, "Compare light tents", goal, "user", BEGAN).task
        assert persistent_tasks.accept(db, task.id, BEGAN) == "accepted"


def left(home: Path) -> dict[str, list[tuple[Any, ...]]]:
    return rows_in(home, LEFT)


def test_every_step_is_done_once_wherever_it_was_killed(empty_database: Path, tmp_path: Path) -> None:
    trial = Trial(Work(work, accepted, left, finish=days_later), empty_database, tmp_path)
    alive = trial.alive
    assert alive["task"][0][:2] == ("completed", 1.0)
    assert alive["done"] == [(f"thing {number}", "open", 1) for number in range(1, len(TEXTS) + 1)]
    assert [row[4] for row in alive["steps"]] == [1] * len(TEXTS), "no death is an attempt"
    assert [row[0] for row in alive["told"]] == ["task_update:persistent_tasks:1/completed"]
    dice = random.Random(4)
    own = [point for point in trial.points if point.partition(".")[0] in ("long_task", "act")]
    trial.survives_each(dice.sample(own, OWN) + dice.sample(trial.points, ANY))
    for _ in range(MOMENTS):
        trial.survives(dice.uniform(0.0, trial.seconds))
    trial.survives_many(8, seed=5)
