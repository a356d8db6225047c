"""Killed while it looks at itself, or its owner decides: the next run finishes, and nothing is lost or doubled."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from furoshiki.core.paths import ROOT
from furoshiki.messages.store import turns
from furoshiki.mind.inner_life.rules import self_description as description_rules
from furoshiki.mind.inner_life.self_model import deep_reflection, description
from furoshiki.mind.inner_life.store import drift, monologue
from furoshiki.mind.inner_life.store.drift import NewDrift
from furoshiki.mind.inner_life.store.monologue import Passage
from furoshiki.models.llm.structured import ask_typed
from furoshiki.models.llm.values import Answer, Question
from tests.support.deaths import Trial, Work, opened, rows_in
from tests.support.dying_night import NIGHT, awake_in
from tests.support.laws import NOON
from tests.support.rows import user_said
from tests.support.world import reader_says

pytestmark = [pytest.mark.faults, pytest.mark.slow]

NEW, UNFOUNDED = "I leave more room than I did.", "They left them."
SHIFT = "I leave more room."
SHIPPED = (ROOT / "config" / "identity" / "SELF.md").read_text(encoding="utf-8").strip()
CHANGED = f"{SHIPPED}\n\n{NEW}"


async def look(home: Path) -> None:
    """Look back at a week, with a mind that finds one thing changed."""
    world = awake_in(home)

    async def say(question: Question) -> Answer:
        if question.purpose == "grounding":
            read = reader_says(question, {UNFOUNDED: "not supported"}, "supported")
            return Answer(read.model_dump_json(), "stop", "s", "s", question.tier)
        if question.purpose == "deep_reflection":
            with (home / "asked").open("a") as told:
                told.write("once\n")
        kept = [{"text": one, "rests_on": []} for one in description_rules.sentences(description.text(world))]
        new = [{"text": text, "rests_on": ["entry:1"]} for text in (NEW, UNFOUNDED)]
        told = {"themes": [], "shifts": [{"text": SHIFT, "rests_on": ["entry:1"]}]}
        written = [{"sentences": kept}, {"sentences": new}]
        return Answer(json.dumps({**told, "description": written}), "stop", "s", "s", question.tier)

    async def ask(question: Question, _on_text: Callable[[str], Awaitable[None]] | None = None) -> Answer:
        return await ask_typed(question, say)

    await deep_reflection.reflect(awake_in(home, ask=ask))


def week(home: Path) -> None:
    with opened(home) as database, database.write() as db:
        turn = turns.add(db, user_said("that was a lot of questions"))
        passage = Passage("I want to leave more room.", (turn,))
        monologue.add(db, "journal", "2026-03-26", [passage], "s", turn, NIGHT - timedelta(hours=2))


def accept(home: Path) -> None:
    """The owner accepts what is proposed, or what they accepted is carried out."""
    world = awake_in(home)
    try:
        description.accept(world)
    except description.NothingProposed:
        description.settle(world)


def proposed(home: Path) -> None:
    share = description_rules.measure_change(SHIPPED, CHANGED)
    with opened(home) as database, database.write() as db:
        drift.add(db, NewDrift(SHIPPED, CHANGED, "", 0.9, share, (), (), "s", 0, "proposed"), NOON)


def left(home: Path) -> dict[str, Any]:
    with opened(home) as database, database.read() as db:
        looks = [(one.text, one.state, one.filed_at is not None) for one in drift.newest(db, 10)]
    path = description.path(home)
    return {
        "looks": looks,
        "file": path.read_text(encoding="utf-8"),
        "proposals": [one.name for one in (home / "proposals").glob("*.md") if not one.name.startswith(".")],
        **rows_in(home, LEFT),
    }


LEFT = {
    "observed": "SELECT content FROM memories WHERE category='self'",
    "refused": "SELECT content FROM rejected_extractions",
}


@contextlib.contextmanager
def looked_once(home: Path) -> Iterator[None]:
    """Its description is old or new, never in between, and what was kept is not asked for again."""
    path = description.path(home)
    assert not path.exists() or path.read_text(encoding="utf-8") == f"{CHANGED}\n"
    with opened(home) as database, database.read() as db:
        kept = drift.newest(db, 10)
    before = asked(home)
    yield
    assert asked(home) == before + (not kept)


def asked(home: Path) -> int:
    path = home / "asked"
    return len(path.read_text().splitlines()) if path.exists() else 0


@pytest.fixture(scope="module")
def looking(empty_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Trial:
    return Trial(Work(look, week, left, again=looked_once), empty_database, tmp_path_factory.mktemp("looking"))


def test_a_look_is_kept_once_wherever_it_was_killed(looking: Trial) -> None:
    assert looking.alive["looks"] == [(CHANGED, "applied", True)]
    assert looking.alive["file"] == f"{CHANGED}\n"
    assert looking.alive["observed"] == [(SHIFT,)]
    assert looking.alive["refused"] == [(UNFOUNDED,)]
    looking.survives_each()


def test_many_deaths_in_a_row_do_no_more_harm_than_one(looking: Trial) -> None:
    looking.survives_many(6, seed=20)


def test_a_decision_is_carried_out_once_wherever_it_was_killed(empty_database: Path, tmp_path: Path) -> None:
    deciding = Trial(Work(accept, proposed, left), empty_database, tmp_path)
    assert deciding.alive["looks"] == [(CHANGED, "accepted", True)]
    assert deciding.alive["file"] == f"{CHANGED}\n"
    assert deciding.alive["proposals"] == []
    deciding.survives_each()
