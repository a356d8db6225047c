"""Killed anywhere while it learns from what it asks itself: no promise is lost, none is made or judged twice."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from furoshiki.mind.post_conversation.reading import read_sessions
from tests.support.deaths import Trial, Work, opened, rows_in
from tests.support.promising import SHOULD, WHY, Self, self_in

pytestmark = [pytest.mark.faults, pytest.mark.slow]

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


@contextlib.contextmanager
def living(home: Path) -> Iterator[Self]:
    """The companion of a home, at the moment at which it was left."""
    path = home / "moment"
    with opened(home) as database:
        own = self_in(home, database)
        own.clock.at = datetime.fromisoformat(path.read_text()) if path.exists() else own.clock.at
        yield own
        path.write_text(own.clock.at.isoformat())


async def read(home: Path) -> None:
    """Read what was said."""
    with living(home) as own:
        await read_sessions(own.world)


async def read_on(home: Path) -> None:
    """Read what was said, and one more conversation."""
    with living(home) as own:
        own.talks("good night", "> Sleep well.")
        await read_sessions(own.world)


def wondering(home: Path) -> None:
    with living(home) as own:
        own.wonders(SHOULD, WHY, SHOULD)
        own.talks("i sleep badly", "> Since when?")


def failing(home: Path) -> None:
    """It has promised, and broken that three times."""
    wondering(home)
    asyncio.run(read(home))
    with living(home) as own:
        for _ in range(3):
            own.talks("i sleep badly", "> You should drink less coffee.")


def left(home: Path) -> dict[str, list[tuple[Any, ...]]]:
    return rows_in(home, LEFT)


def test_a_promise_is_made_once_wherever_it_was_killed(tmp_path: Path, empty_database: Path) -> None:
    trial = Trial(Work(read, wondering, left, finish=read_on), empty_database, tmp_path)
    assert [row[0] for row in trial.alive["promises"]] == ["Ask before giving advice"]
    trial.survives_each()


def test_a_third_failure_is_looked_at_once_wherever_it_was_killed(tmp_path: Path, empty_database: Path) -> None:
    trial = Trial(Work(read, failing, left), empty_database, tmp_path)
    assert len(trial.alive["judged"]) == 3 and len(trial.alive["observed"]) == 1
    assert trial.alive["promises"] == [("Ask before giving advice", "active", 0, 0)]
    trial.survives_each()
