"""Killed at any point of writing a plugin, the next run goes on or begins again once, and one proposal comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from furoshiki.extensions.plugins.store import jobs
from furoshiki.models.llm.values import Answer, Question
from tests.extensions.plugins.authoring.conftest import NAME, reviews, verdict, writes
from tests.support import job_runs
from tests.support.deaths import Trial, Work, opened, rows_in

pytestmark = [pytest.mark.faults, pytest.mark.slow]

NOW = datetime(2026, 5, 13, 18, 30, tzinfo=UTC)


def fill(home: Path) -> None:
    with opened(home) as database, database.write() as db:
        jobs.add(db, "tell me when the next tram leaves", "chat", NOW)


async def mind(question: Question) -> Answer:
    """An author or a reviewer who knows by what was said so far what comes next."""
    lines: Sequence[Any] = writes() if question.purpose == "plugin_create" else reviews(verdict())
    said = sum(message.role == "assistant" for message in question.messages)
    line = lines[said]
    return line(question) if callable(line) else Answer(line, "stop", "scripted", "script", question.tier)


def author(home: Path) -> None:
    job_runs.run(home, "plugin_author", NOW, mind)


def left(home: Path) -> dict[str, Any]:
    """What became of the wish, and what lies about; how often it was paid for differs."""
    return {
        "proposals": {path.name: path.read_text() for path in home.glob("proposals/[!.]*")},
        "drafts": sorted(str(path.relative_to(home)) for path in home.glob("drafts/*/[!.]*")),
        "plugins": sorted(path.name for path in home.glob("plugins/*")),
        **rows_in(home, {"jobs": "SELECT state, name, attempts, confidence, proposal, reason FROM plugin_jobs"}),
    }


def test_one_proposal_comes_of_it_wherever_it_was_killed(empty_database: Path, tmp_path: Path) -> None:
    trial = Trial(Work(author, fill, left), empty_database, tmp_path)
    ((state, name, *_),) = trial.alive["jobs"]
    assert (state, name, trial.alive["plugins"]) == ("proposed", NAME, [])
    own = [point for point in trial.points if point.startswith(("plugins.", "confined."))]
    assert len(own) >= 8
    trial.survives_each(own)
    assert any("failed" in one for one in trial.harm(*["plugins.draft_written:1"] * 3))
