"""Killed anywhere while it learns from what it asks itself: no promise is lost, none is made or judged twice."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from furoshiki.core.crash_points import CRASHED
from furoshiki.core.database.connection import Database
from furoshiki.core.paths import ROOT
from furoshiki.inner_life.post_conversation.reading import read_sessions
from tests.support.promising import SHOULD, WHY, Self, self_in

pytestmark = [pytest.mark.faults, pytest.mark.slow]

MAKING = (
    "patterns.before_commit",
    "commitments.answered",
    "commitments.before_commit",
    "post_conversation.before_commit",
)
JUDGING = ("post_conversation.before_commit", "store.after_commit", "store.after_commit:2")
LEFT = {
    "patterns": "SELECT gist, state FROM behavioral_patterns ORDER BY id",
    "questions": "SELECT question_id, pattern_id FROM pattern_questions ORDER BY 1",
    "promises": "SELECT text, state, honoured, failures_in_row FROM commitments ORDER BY id",
    "judged": "SELECT commitment_id, verdict, turn_ids FROM commitment_judgements ORDER BY at",
    "observed": "SELECT content FROM memories WHERE category='self' ORDER BY id",
    "asked": "SELECT question, source FROM self_questions ORDER BY id",
    "times": "SELECT count(*) FROM self_question_times",
    "refused": "SELECT content FROM rejected_extractions ORDER BY id",
}


def left(own: Self) -> dict[str, list[tuple[Any, ...]]]:
    return {name: own.rows(question) for name, question in LEFT.items()}


@pytest.fixture
def twice(tmp_path: Path, empty_database: Path) -> tuple[Path, Path]:
    """Two folders with the same life in them."""
    folders = (tmp_path / "whole", tmp_path / "cut")
    for folder in folders:
        (folder / "memory").mkdir(parents=True)
        (folder / "memory" / "longmemory.sqlite").write_bytes(empty_database.read_bytes())
    return folders


def living(folder: Path) -> Self:
    return self_in(folder, Database(folder / "memory" / "longmemory.sqlite", busy_seconds=5.0))


def killed(folder: Path, point: str, own: Self) -> None:
    """A run of post-conversation at this moment that dies at a point."""
    ended = subprocess.run(
        [sys.executable, "-m", "tests.support.promising", str(folder), own.clock.at.isoformat()],
        cwd=ROOT,
        env={**os.environ, "FUROSHIKI_CRASH_AT": point},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ended.returncode == CRASHED, ended.stderr


@pytest.mark.parametrize("point", MAKING)
async def test_a_promise_is_made_once_wherever_it_was_killed(twice: tuple[Path, Path], point: str) -> None:
    whole, cut = map(living, twice)
    for own in (whole, cut):
        own.wonders(SHOULD, WHY, SHOULD)
        own.talks("i sleep badly", "> Since when?")
    await read_sessions(whole.world)
    killed(twice[1], point, cut)
    for own in (whole, cut):  # the next conversation
        own.talks("good night", "> Sleep well.")
        await read_sessions(own.world)
    assert left(cut) == left(whole)
    assert [row[0] for row in left(cut)["promises"]] == ["Ask before giving advice"]


@pytest.mark.parametrize("point", JUDGING)
async def test_a_third_failure_is_looked_at_once_wherever_it_was_killed(twice: tuple[Path, Path], point: str) -> None:
    whole, cut = map(living, twice)
    for own in (whole, cut):
        own.wonders(SHOULD, WHY, SHOULD)
        own.talks("i sleep badly", "> Since when?")
        await read_sessions(own.world)
        for _ in range(3):
            own.talks("i sleep badly", "> You should drink less coffee.")
    await read_sessions(whole.world)
    killed(twice[1], point, cut)
    await read_sessions(cut.world)
    assert left(cut) == left(whole)
    assert len(left(cut)["judged"]) == 3 and len(left(cut)["observed"]) == 1
    assert left(cut)["promises"] == [("Ask before giving advice", "active", 0, 0)]
