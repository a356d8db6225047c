"""An evening looked back at as a capable mind does, in its own words: what is true is kept, what is not never is.

The reader is another mind that saw the lines alone. Where it errs one time in ten, and where there is none, less of it
is kept, and still nothing planted among what it had doubts about.
"""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from furoshiki.messages.store import turns
from furoshiki.messages.values import NewTurn
from furoshiki.mind.inner_life.journal import monologue
from furoshiki.mind.inner_life.journal.forms import Musing
from furoshiki.mind.inner_life.store import monologue as monologue_store
from furoshiki.mind.inner_life.store import self_questions
from furoshiki.models.llm.values import Answer, Question
from furoshiki.owner.user_model.store import anticipations
from furoshiki.world import World
from tests.support.world import FrozenClock, Script

EVENING = json.loads((Path(__file__).parent / "natural_evening.json").read_text(encoding="utf-8"))
FIELDS = ("entry", "anticipations", "curiosities", "thoughts")


def words(field: str, row: list[Any]) -> str:
    """What is judged of a row."""
    return f"{row[1].rstrip('. ')}. {row[2]}" if field == "anticipations" else str(row[1])


def offered(field: str, row: list[Any]) -> dict[str, Any]:
    cites = row[-1] if isinstance(row[-1], list) else []
    if field == "anticipations":
        return {"need": row[1], "why": row[2], "when": row[3], "expires": row[4], "messages": cites}
    return {"text": row[1], "messages": cites} | ({"after": row[2]} if field == "thoughts" else {})


MOST = {"entry": 6, "anticipations": 3, "curiosities": 3, "thoughts": 2}


def portions() -> list[dict[str, Any]]:
    """All rows in as many musings as it takes, no list longer than a mind may write it."""
    cut = {f: [EVENING[f][at : at + MOST[f]] for at in range(0, len(EVENING[f]), MOST[f])] for f in FIELDS}
    many = max(map(len, cut.values()))
    made = [
        {f: [offered(f, row) for row in (cut[f][at] if at < len(cut[f]) else [])] for f in FIELDS} for at in range(many)
    ]
    for one in made:
        one["entry"] = one["entry"] or [{"text": "I am glad."}]
    return made


def musing(row: dict[str, Any]) -> Any:
    def answer(question: Question) -> Answer:
        return Answer("", "stop", "scripted", "script", question.tier, parsed=Musing.model_validate(row))

    return answer


async def lived(world: World, model: Script, clock: FrozenClock, readings: dict[str, Any]) -> set[str]:
    """Everything that was kept, over as many nights as it takes to offer all of it."""
    kept: set[str] = set()
    model.readings = readings
    for number, portion in enumerate(portions()):
        with world.database.write() as db:
            for table in ("inner_monologue", "anticipations", "self_questions", "mind_queue", "turns"):
                db.execute(f"DELETE FROM {table}")
            for id_, (who, text) in enumerate(EVENING["said"], start=1):
                made = turns.add(db, NewTurn(f"s{number}", "console", "me", who, text, world.now))
                db.execute("UPDATE turns SET id=? WHERE id=?", (id_, made))
        model.lines = [musing(portion)]
        await monologue.night(world)
        with world.database.read() as db:
            kept |= {
                one.text
                for entry in monologue_store.since(db, ("journal",), clock.at - timedelta(days=1))
                for one in entry.passages
            }
            kept |= {f"{one.text.rstrip('. ')}. {one.reason}" for one in anticipations.open_(db, world.now)}
            kept |= {one.question for one in self_questions.list_pending(db)}
            kept |= {row["summary"] for row in db.execute("SELECT summary FROM mind_queue")}
    return kept


def readings(wrong: float = 0.0) -> dict[str, Any]:
    rng = Random(11)
    answers = ("supported", "not supported", "contradicted")
    found = {}
    for field in FIELDS:
        for row in EVENING[field]:
            right = "supported" if row[0] else "not supported"
            found[words(field, row)] = rng.choice(answers) if rng.random() < wrong else right
    return found


def shares(kept: set[str]) -> tuple[float, int]:
    """The share of what is true that was kept, and how many of the planted false ones."""
    true = [words(field, row) for field in FIELDS for row in EVENING[field] if row[0]]
    false = [words(field, row) for field in FIELDS for row in EVENING[field] if not row[0]]
    return sum(one in kept for one in true) / len(true), sum(one in kept for one in false)


async def test_what_is_true_is_kept_in_its_own_words_and_nothing_false_is(
    world: World, model: Script, clock: FrozenClock
) -> None:
    kept = await lived(world, model, clock, readings())
    true, false = shares(kept)
    assert true >= 0.9, [words(f, r) for f in FIELDS for r in EVENING[f] if r[0] and words(f, r) not in kept]
    assert false == 0


async def test_a_reader_that_errs_one_time_in_ten_costs_little(world: World, model: Script, clock: FrozenClock) -> None:
    true, false = shares(await lived(world, model, clock, readings(0.1)))
    assert true >= 0.85 and false <= 1


@pytest.mark.parametrize("field", FIELDS)
def test_each_kind_holds_at_least_eight_true_ones(field: str) -> None:
    assert sum(bool(row[0]) for row in EVENING[field]) >= 8
