"""Killed anywhere while its mind wanders: one thought comes of it, one thing becomes of that, and nothing twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support import wandering_deaths
from tests.support.deaths import Trial, Work, rows_in

LEFT = {
    "wanderings": "SELECT seed_kind, action, outcome FROM wanderings ORDER BY id",
    "gists": "SELECT kind, text FROM gists ORDER BY id",
    "questions": "SELECT question, state FROM self_questions",
    "queue": "SELECT summary FROM mind_queue",
    "journal": "SELECT kind, passages FROM inner_monologue",
    "strength": "SELECT count(*) FROM concepts WHERE last_accessed_at>'2026-03'",
}


def left(home: Path) -> dict[str, list[tuple[Any, ...]]]:
    return rows_in(home, LEFT)


@pytest.mark.slow
def test_killed_anywhere_the_next_run_thinks_once(tmp_path: Path, empty_database: Path) -> None:
    trial = Trial(Work(wandering_deaths.once, wandering_deaths.fill, left), empty_database, tmp_path)
    assert [row[1] for row in trial.alive["wanderings"]] == ["AMBIENT_TOOL"], trial.alive
    assert trial.alive["strength"] == [(1,)]
    trial.survives_each()
