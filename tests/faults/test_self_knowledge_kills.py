"""Killed while it writes down how it works, or while it explores: the next run finishes, and nothing is there twice."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from furoshiki.core.database import kv
from furoshiki.core.process.crash_points import CRASHED
from furoshiki.mind.inner_life import knowledge_sources
from furoshiki.mind.inner_life.questions import exploration
from furoshiki.mind.inner_life.rules.documents import Chunk
from furoshiki.mind.inner_life.store import design_docs, explorations, self_questions
from furoshiki.models.llm.structured import ask_typed
from furoshiki.models.llm.values import Answer, Question
from tests.support import job_runs
from tests.support.deaths import Trial, Work, new_home, opened, rows_in, run
from tests.support.dying_night import awake_in
from tests.support.laws import NOON

pytestmark = [pytest.mark.faults, pytest.mark.slow]


def write(home: Path) -> None:
    """Write down how it works, in its script."""
    job_runs.run(home, "embed_design_docs", NOON)


CURIOUS = "When do I look back at the day?"
ANSWER = {"verdict": "answered", "answer": "I look back at the day at 15:00.", "cites": ["design:1"], "raises": "Why?"}


async def explore(home: Path) -> None:
    """Look into what it is curious about, with a mind that says ANSWER."""

    async def say(question: Question) -> Answer:
        return Answer(json.dumps(ANSWER), "stop", "s", "s", question.tier)

    async def ask(question: Question, _on_text: Callable[[str], Awaitable[None]] | None = None) -> Answer:
        return await ask_typed(question, say)

    await exploration.explore(awake_in(home, ask=ask))


def curious(home: Path) -> None:
    with opened(home) as database, database.write() as db:
        design_docs.keep(db, {"page": [Chunk("When", "A look back at the day, daily at 15:00.")]}, NOON)
        self_questions.add(db, CURIOUS, "test", NOON, kind="curiosity")
        self_questions.sort(db, 1, "self")


EXPLORED = {
    "questions": "SELECT question, state FROM self_questions ORDER BY id",
    "memories": "SELECT content, status FROM memories",
}


def explored(home: Path) -> dict[str, list[tuple[Any, ...]]]:
    return rows_in(home, EXPLORED)


@contextlib.contextmanager
def asked_twice_at_most(home: Path) -> Iterator[None]:
    """A death does not make it ask all day."""
    yield
    with opened(home) as database, database.read() as db:
        assert explorations.since(db, NOON) <= 2


def test_a_curiosity_is_answered_once_wherever_it_was_killed(empty_database: Path, tmp_path: Path) -> None:
    trial = Trial(Work(explore, curious, explored, again=asked_twice_at_most), empty_database, tmp_path)
    assert trial.alive == {
        "questions": [(CURIOUS, "answered"), ("Why?", "open")],
        "memories": [("I looked up how I work: I look back at the day at 15:00.", "active")],
    }
    trial.survives_each()


Part = tuple[str, str, str]


def parts(home: Path) -> list[Part]:
    with opened(home) as database, database.read() as db:
        return [(one.source, one.heading, one.text) for one in design_docs.every(db)]


def scheduled(home: Path, hour: int) -> None:
    """The backup is made at another hour, which is part of how it works."""
    jobs = [{"name": "backup", "when": f"daily 0{hour}:15"}]
    (home / "memory" / "schedules.json").write_text(json.dumps({"jobs": jobs}))


def written(home: Path) -> tuple[str, list[Part], bool]:
    """The page, its parts, and whether it is marked what they were made from."""
    with opened(home) as database, database.read() as db:
        made_from = kv.get(db, knowledge_sources.INPUTS)
    return (home / knowledge_sources.REALITY).read_text(encoding="utf-8"), parts(home), bool(made_from)


@contextlib.contextmanager
def nothing_twice(home: Path) -> Iterator[None]:
    assert len(set(parts(home))) == len(parts(home))
    yield


def test_what_it_knows_of_itself_is_whole_wherever_it_was_killed(empty_database: Path, tmp_path: Path) -> None:
    trial = Trial(Work(write, lambda home: scheduled(home, 9), written, again=nothing_twice), empty_database, tmp_path)
    text, found, marked = trial.alive
    assert marked and len(set(found)) == len(found) > 100
    lines = [line for source, _, part in found if source == knowledge_sources.REALITY for line in part.splitlines()]
    told = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    assert sorted(told) == sorted(lines)
    assert {source for source, _, _ in found} == {knowledge_sources.REALITY, *knowledge_sources.documents()}
    assert "- Daily 09:15 UTC (`backup`)" in text
    trial.survives_each()


def test_twenty_deaths_leave_what_one_run_leaves(empty_database: Path, tmp_path: Path) -> None:
    trial = Trial(Work(write, lambda home: scheduled(home, 9), written), empty_database, tmp_path / "one")
    home, dice = new_home(empty_database, tmp_path / "many"), random.Random(20)
    for number in range(20):
        scheduled(home, number % 10)
        assert run(write, home, dies_at=dice.choice(trial.points)).status == CRASHED
        assert len(set(parts(home))) == len(parts(home))
    assert run(write, home).status == 0
    assert written(home) == trial.alive
