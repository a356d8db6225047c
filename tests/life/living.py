"""A companion that lives through time: its clock is set by the script, everything else is as it is in a real house.

memoryd answers in this process (the same service behind the same client, no socket), the built-in mind is the model,
and the scripts run when the brain would run them and there is something for them to do.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from furoshiki.app.jobs import JOBS, due, import_function
from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.app.wiring import lexicon
from furoshiki.conversation.worker import Worker
from furoshiki.core.errors import NoMindAnswered
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER
from furoshiki.models.llm.values import Answer, Question
from furoshiki.recall.embeddings.encoder import Encoder, Floats
from furoshiki.recall.retrieval.client import Vectors, VectorsAway
from furoshiki.recall.retrieval.memoryd.service import Service
from furoshiki.world import World
from tests.life.script import Conversation, Line
from tests.support.world import FrozenClock, Human

AUDITED = 20
"""Vectors the nightly audit asks for; the real 200 take a second, and 365 of them longer than all the rest."""

NIGHT = time(4)


class Remembering:
    """An encoder that embeds no text twice: what is said is looked at a dozen times, and that is half of the cost."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._known: dict[str, tuple[Floats, Floats]] = {}
        self.id, self.dimensions = encoder.id, encoder.dimensions

    def encode(self, texts: Sequence[str]) -> Floats:
        """One unit row a text."""
        return np.stack([self.encode_tokens(text)[0] for text in texts]) if texts else self._encoder.encode(texts)

    def encode_tokens(self, text: str) -> tuple[Floats, Floats]:
        """A unit row for the text, and one for each of its tokens."""
        if text not in self._known:
            self._known[text] = self._encoder.encode_tokens(text)
        return self._known[text]

    def pieces(self, text: str) -> list[str]:
        """The tokens of a text."""
        return self._encoder.pieces(text)


class VectorsHere(Vectors):
    """memoryd's client and its service in one process: a nudge is heeded before it returns."""

    def __init__(self, data: Path, service: Service) -> None:
        super().__init__(data)
        self._service = service

    def _ask(self, request: dict[str, Any], seconds: float | None, *, spawn: bool = True) -> dict[str, Any]:
        if request["op"] == "audit":
            request = {**request, "n": AUDITED}
        if request["op"] == "stop":
            self._service.index.close()
        answer = self._service.answer(request)
        if not answer["ok"]:
            raise VectorsAway(str(answer["error"]))
        if request["op"] in ("nudge", "rebuild", "delete"):
            self._service.keeper.keep()
        return answer


class BuiltInMind:
    """The built-in mind, which says what the script says where it says something, and remembers what it was shown."""

    def __init__(self) -> None:
        self._mind = ReflexMind(random.Random(11), lexicon)
        self.next_answer: str | None = None
        self.shown: Question | None = None

    async def __call__(self, question: Question, on_text: Callable[[str], Awaitable[None]] | None = None) -> Answer:
        answer = self._mind(question, why="no-model")
        if answer is None:
            raise NoMindAnswered(question.purpose)
        if question.purpose == "turn":
            self.shown = question
            if self.next_answer is not None:
                return replace(answer, text=self.next_answer, calls=(), finish="stop")
        return answer


@dataclass
class Life:
    """Lives through conversations and the nights between them."""

    world: World
    clock: FrozenClock
    mind: BuiltInMind
    service: Service
    told: dict[str, list[int]] = field(default_factory=dict)
    """The turns in which the script's lines were said, by the lines' names."""

    def __post_init__(self) -> None:
        self.human = Human(self.world, Worker(self.world))

    async def through(self, conversations: Iterable[Conversation]) -> None:
        """Every conversation with what follows it, every night with what it is for."""
        for one in conversations:
            await self.until(one.at)
            await self.talk(one.lines)

    async def talk(self, lines: Iterable[Line]) -> None:
        """One conversation, and the quiet after it."""
        for line in lines:
            await self.say(line)
            self.clock.pass_(seconds=50)
        self.clock.pass_(minutes=6)
        await self.run("flush_scratch")
        self.clock.pass_(minutes=20)
        await self.run("run_post_conversation", "soul_engine", "consolidate_light")

    async def say(self, line: Line) -> None:
        """One message, and its answer."""
        self.mind.next_answer = line.answer
        row = self.human.writes(line.text)
        await self.human.waits()
        with self.world.database.read() as db:
            heard = [turn.id for turn in turns.of_key(db, f"inbox:{row}") if turn.speaker == USER]
        assert heard, self.human.envelope(row)
        self.told.setdefault(line.name, []).extend(heard)

    async def until(self, moment: datetime) -> None:
        """Let time pass. The computer is off while she is away; what nights there were are caught up with once, in the
        last of them."""
        night = datetime.combine(moment.date(), NIGHT, moment.tzinfo)
        if night > moment:
            night -= timedelta(days=1)
        if night > self.clock.at:
            self.clock.at = night
            await self.run("flush_scratch", "soul_engine", "consolidate_light", "consolidate_memory")
        self.clock.at = max(moment, self.clock.at)

    async def run(self, *names: str) -> None:
        """These scripts, each when it has something to do."""
        for name in names:
            with self.world.database.read() as db:
                steps = due(JOBS[name].steps, db, self.world.now)
            for step, _ in steps:
                done = import_function(step.use_case)(self.world)
                if inspect.isawaitable(done):
                    await done


def said(world: World, turn_id: int) -> str:
    """What was said in a turn, "" when it is gone."""
    with world.database.read() as db:
        turn = turns.get(db, turn_id)
    return "" if turn is None else turn.text
