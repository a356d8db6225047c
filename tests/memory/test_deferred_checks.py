"""A contradiction that only a model could see, and it was away, is found when it is there again; once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from furoshiki.core.database import kv
from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.memory import deferred_checks, exit_gate, weighing
from furoshiki.memory.contradiction import Contradicting
from furoshiki.memory.store import links, memories
from furoshiki.models.llm.values import Answer, Question
from furoshiki.world import World
from tests.support.exit_gate import know, moments, say
from tests.support.near import Near
from tests.support.world import FrozenClock, Script

KNOWN = "The garden of the house is the joy of our life"
SAID = "the garden of the house is the joy of nobody any more"


def says(verdict: bool) -> Any:
    def answer(question: Question) -> Answer:
        return Answer("", "stop", "scripted", "script", question.tier, parsed=Contradicting(contradict=verdict))

    return answer


def away(_question: Question) -> NoMindAnswered:
    return NoMindAnswered("no connection", away=True)


@pytest.fixture
def quiet(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A world whose rules and vectors cannot tell whether two statements contradict each other."""
    from furoshiki.memory import contradiction

    monkeypatch.setattr(contradiction, "measure_by_rule", lambda _one, _other: None)
    monkeypatch.setattr(contradiction, "_measure_leaning", lambda *_: None)
    settings = world.settings.model_copy(update={"furoshiki_gate_maturity": 0.0})
    yield replace(world, vectors=Near(world), settings=settings)


def owed(world: World) -> list[Any]:
    with world.database.read() as db:
        return list(kv.get(db, deferred_checks.OWED, []))


async def night(world: World) -> dict[str, Any]:
    return await deferred_checks.step(world, weighing.cycle(world, "deep"))


async def kept_in_an_outage(world: World, model: Script, clock: FrozenClock) -> tuple[int, int]:
    """Something known, and what denies it, said while no model could be asked; answers both memories."""
    held = know(world, KNOWN)
    say(world, SAID, charge=0.6)
    clock.pass_(minutes=6)
    model.lines = [away]
    await exit_gate.flush(world)
    [denying] = [one for one in moments(world) if "nobody" in one.content]
    return held, denying.id


async def test_what_an_outage_hid_is_contested_when_it_is_over(quiet: World, model: Script, clock: FrozenClock) -> None:
    held, denying = await kept_in_an_outage(quiet, model, clock)
    model.lines = [away]
    clock.pass_(hours=1)
    assert await night(quiet) == {"asked": 0, "contested": 0}
    clock.pass_(days=1)
    model.lines = [says(True)]
    assert await night(quiet) == {"asked": 1, "contested": 1}
    with quiet.database.read() as db:
        assert [(one.to_id, one.relation) for one in links.links_of(db, denying)] == [(held, "contradicts")]
        assert all(one.beta > 4.0 for one in memories.of_ids(db, [held, denying]))
    assert owed(quiet) == []
    assert await night(quiet) == {"asked": 0, "contested": 0}


@pytest.mark.parametrize("end", [says(False), AnswerUnusable("neither"), NoMindAnswered("there is no model any more")])
async def test_what_is_no_contradiction_or_cannot_be_asked_is_let_be(
    quiet: World, model: Script, clock: FrozenClock, end: Any
) -> None:
    held, _denying = await kept_in_an_outage(quiet, model, clock)
    clock.pass_(days=1)
    model.lines = [end]
    assert (await night(quiet))["contested"] == 0
    with quiet.database.read() as db:
        before = memories.get(db, held)
    assert before is not None and before.beta == 4.0
    assert owed(quiet) == []


async def test_what_was_forgotten_meanwhile_is_not_asked(quiet: World, model: Script, clock: FrozenClock) -> None:
    held, _denying = await kept_in_an_outage(quiet, model, clock)
    with quiet.database.write() as db:
        db.execute("DELETE FROM memories WHERE id=?", (held,))
    clock.pass_(days=1)
    asked = len(model.questions)
    assert (await night(quiet))["contested"] == 0
    assert len(model.questions) == asked and owed(quiet) == []


async def test_between_two_messages_nobody_is_asked_and_the_night_makes_up_for_it(
    quiet: World, model: Script, clock: FrozenClock
) -> None:
    know(quiet, KNOWN)
    say(quiet, SAID, charge=0.6)
    assert exit_gate.flush_quickly(quiet) == 1
    assert model.questions == [] and len(owed(quiet)) == 1
    model.lines = [says(True)]
    assert (await night(quiet))["contested"] == 1
