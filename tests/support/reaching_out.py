"""An owner who is written to unasked, by a voice that says what a thought says."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.app.wiring import load_care_words
from furoshiki.core.errors import NoMindAnswered
from furoshiki.messages.store import outbox, turns
from furoshiki.messages.values import USER, NewTurn, Outgoing
from furoshiki.mind.outreach import pulse, voice
from furoshiki.mind.outreach.rules.gates import NUDGE
from furoshiki.mind.outreach.voice import Worded
from furoshiki.models.llm.values import Answer, Question
from furoshiki.owner.agenda.rules.mind_queue import Waiting
from furoshiki.world import World
from tests.support.unasked import in_telegram
from tests.support.world import FrozenClock, Human

CHAT = "7"


def told(world: World) -> list[Outgoing]:
    """What was said unasked, in order."""
    with world.database.read() as db:
        found = [one for state in ("ready", "sent") for one in outbox.in_state(db, state)]
    return sorted((one for one in found if one.policy == "unprompted"), key=lambda one: one.id)


def rows(world: World, question: str) -> list[tuple[Any, ...]]:
    with world.database.read() as db:
        return [tuple(row) for row in db.execute(question)]


def hears(world: World, text: str, at: datetime | None = None, **more: Any) -> int:
    """The owner says something that nobody answers."""
    with world.database.write() as db:
        return turns.add(db, NewTurn("s", "telegram", CHAT, USER, text, at or world.now, **more))


async def pass_(world: World, clock: FrozenClock, **gone: float) -> None:
    """Time passes, with a pass of the pulse every half an hour; what it says arrives at once."""
    until = clock.at + timedelta(**gone)
    while True:
        await pulse.run(world)
        with world.database.write() as db:
            for one in outbox.read_waiting(db, "telegram"):
                outbox.claim(db, one.id, clock.at)
                outbox.mark_sent(db, one.id, str(1000 + one.id), clock.at)
        if clock.at >= until:
            return
        clock.at = min(until, clock.at + timedelta(minutes=30))


@pytest.fixture
def reached(human: Human) -> Human:
    """Somebody with Telegram who wrote a day ago, and no model at all: the built-in mind speaks."""
    world = in_telegram(human.world)
    mind = ReflexMind(world.rng, care=lambda: load_care_words()[0])

    async def ask(question: Question, on_text: Any = None) -> Answer:
        found = mind(question, why="no-model")
        if found is None:
            raise NoMindAnswered(f"{question.purpose} needs a language model", away=False)
        return found

    human.world = human.worker.world = replace(world, ask=ask)
    hears(human.world, "hello", human.world.now - timedelta(days=1))
    return human


@pytest.fixture
def owned(human: Human, monkeypatch: pytest.MonkeyPatch) -> Human:
    """Somebody with Telegram who wrote a day ago; what is said to them are the thoughts themselves, with a word more
    where a question is brought up a second time."""

    async def draft(world: World, item: Waiting) -> Worded:
        again = item.kind == NUDGE and any(one.text == item.summary for one in told(world))
        return Worded(f"{item.summary} May I hear it now?" if again else item.summary, "scripted", "deep")

    async def polish(_world: World, _item: Waiting, drafted: Worded) -> Worded:
        return drafted

    monkeypatch.setattr(voice, "draft", draft)
    monkeypatch.setattr(voice, "polish", polish)
    human.world = human.worker.world = in_telegram(human.world)
    hears(human.world, "hello", human.world.now - timedelta(days=1))
    return human
