"""Killed while it writes down who the user is: the next run finishes, nothing is listed twice, no file is half."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER, NewTurn
from furoshiki.models.llm.structured import ask_typed
from furoshiki.models.llm.values import Answer, Question
from furoshiki.owner.user_model import profile, profile_files
from furoshiki.owner.user_model.rules import profile as profile_rules
from furoshiki.owner.user_model.store import profiles
from tests.support.deaths import Trial, Work, opened, rows_in
from tests.support.dying_night import awake_in
from tests.support.laws import NOON
from tests.support.world import reader_says

pytestmark = [pytest.mark.faults, pytest.mark.slow]

TRUE = ("They live in Lisbon.", "They work at the harbour.")
SAID = [
    {"text": text, "facts": facts, "section": "other"}
    for text, facts in ((TRUE[0], [1]), (TRUE[1], [2]), ("They are a spy.", [2]))
]


async def refine(home: Path) -> None:
    """Write the profile, with a mind that says SAID."""

    async def say(question: Question) -> Answer:
        if question.purpose == "grounding":
            read = reader_says(question, {"They are a spy.": "not supported"}, "supported")
            return Answer(read.model_dump_json(), "stop", "s", "s", question.tier)
        with (home / "asked").open("a") as told:
            told.write("once\n")
        return Answer(json.dumps({"mini": SAID, "reference": SAID, "unsure": []}), "stop", "s", "s", question.tier)

    async def ask(question: Question, _on_text: Callable[[str], Awaitable[None]] | None = None) -> Answer:
        return await ask_typed(question, say)

    await profile.refine(awake_in(home, ask=ask))


def fill(home: Path) -> None:
    with opened(home) as database, database.write() as db:
        for text in TRUE:
            turn = turns.add(db, NewTurn("s", "console", "console", USER, text, NOON))
            memories.add(db, NewMemory("semantic", text, (turn,)), NOON)


def held(home: Path) -> profiles.StoredProfile | None:
    with opened(home) as database, database.read() as db:
        return profiles.find_profile(db)


def left(home: Path) -> dict[str, Any]:
    kept = held(home)
    return {
        "kept": None if kept is None else (kept.number, kept.unwritten, kept.profile),
        "files": {path.name: path.read_text() for path in (home / "memory").glob("user_profile*")},
        **rows_in(home, {"refused": "SELECT content FROM rejected_extractions"}),
    }


@contextlib.contextmanager
def asked_only_for_what_was_lost(home: Path) -> Iterator[None]:
    for path in (home / "memory").glob("user_profile_gaps.json"):
        json.loads(path.read_text())
    before, kept = asked(home), held(home)
    yield
    assert asked(home) == before + (kept is None)


def asked(home: Path) -> int:
    path = home / "asked"
    return len(path.read_text().splitlines()) if path.exists() else 0


@pytest.fixture(scope="module")
def trial(empty_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Trial:
    return Trial(
        Work(refine, fill, left, again=asked_only_for_what_was_lost), empty_database, tmp_path_factory.mktemp("p")
    )


def test_a_run_writes_it_once_and_the_files_say_what_the_database_says(trial: Trial) -> None:
    found = trial.alive
    number, unwritten, written = found["kept"]
    assert (number, unwritten) == (1, False)
    assert profile_rules.mini_text(written.mini) == " ".join(TRUE)
    assert found["files"] == {name: f"{text}\n" for name, text in profile_files.texts(written).items()}
    assert found["refused"] == [("They are a spy.",)]


def test_it_is_written_once_wherever_it_was_killed(trial: Trial) -> None:
    trial.survives_each()


def test_many_deaths_in_a_row_do_no_more_harm_than_one(trial: Trial) -> None:
    trial.survives_many(6, seed=20)
