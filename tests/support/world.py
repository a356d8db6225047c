"""A world for use cases: a frozen clock, seeded dice, a real database, a scripted model, and a human who listens."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from furoshiki.app.wiring import (
    danger_head,
    find_second_language,
    lexicon,
    load_care_words,
    load_meaning_head,
    prepare,
    signal_head,
)
from furoshiki.conversation.worker import Worker
from furoshiki.core.database.connection import Database
from furoshiki.core.errors import AnswerUnusable
from furoshiki.core.paths import ROOT
from furoshiki.core.prompts import Prompts
from furoshiki.core.settings import Settings
from furoshiki.feelings import heartbeat
from furoshiki.feelings.state_files import StateFiles
from furoshiki.memory.grounding.answer_form import ReadStatements
from furoshiki.memory.grounding.rules.statement import Reading
from furoshiki.messages import events
from furoshiki.messages.store import inbox, outbox
from furoshiki.messages.values import Envelope, NewEnvelope, Outgoing
from furoshiki.mind.post_conversation.fact_reading import ReadTold
from furoshiki.models.llm.values import Answer, Question, ToolCall
from furoshiki.owner.user_model.forms import ReadDanger
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.world import World
from tests.support.laws import shipped

START = datetime(2026, 3, 24, 15, 0, tzinfo=UTC)

PATIENCE_SECONDS = 120.0
"""How long a message may take: no test fails by how busy the machine is."""

PROMPTS = Prompts(ROOT / "prompts")
"""Compiled once for all worlds."""


@dataclass
class FrozenClock:
    """Time that passes when a test says so; `tick`: also with every look at it, as a machine's does."""

    at: datetime = START
    tick: timedelta = timedelta(0)

    def now(self) -> datetime:
        self.at += self.tick
        return self.at

    def pass_(self, **gone: float) -> None:
        self.at += timedelta(**gone)


@dataclass
class Script:
    """A model that says what a test wrote down: texts, tool calls, exceptions, or functions of the question.

    Asked whether a message means danger it says no, beside all that, unless it `reads_danger`; asked what was told, it
    finds nothing, unless it `reads_told`.
    """

    lines: list[Any] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    pause: Callable[[], Awaitable[None]] | None = None
    reads_danger: bool = False
    reads_told: bool = False
    readings: dict[str, Reading] = field(default_factory=dict)
    """What a reader says of statements; of any other it says `reads_all` or nothing, and the rules decide."""
    reads_all: Reading | None = None
    shown: list[str] = field(default_factory=list)
    """What a reader was shown."""

    async def __call__(self, question: Question, on_text: Callable[[str], Awaitable[None]] | None = None) -> Answer:
        if question.purpose == "danger" and not self.reads_danger:
            return replace(_answer(question, ""), parsed=ReadDanger(danger="none"))
        if question.purpose == "told" and not self.reads_told:
            return replace(_answer(question, ""), parsed=ReadTold())
        if question.purpose == "grounding":
            self.shown.append(question.messages[-1].text)
            return replace(_answer(question, ""), parsed=reader_says(question, self.readings, self.reads_all))
        self.questions.append(question)
        if self.pause is not None:
            await self.pause()
        if not self.lines and question.answer is not None:
            # A real client never returns text where a form is due.
            raise AnswerUnusable("the script has nothing to say")
        line = self.lines.pop(0) if self.lines else "Mhm."
        if callable(line):
            line = line(question)
        if isinstance(line, BaseException):
            raise line
        if isinstance(line, Answer):
            return line
        if isinstance(line, ToolCall):
            return _answer(question, "", (line,))
        if on_text is not None:
            await on_text(line)
        return _answer(question, line)

    @property
    def turn_words(self) -> str:
        """What the last answer in a conversation was made of; what is asked after it in the background is left out."""
        return [question for question in self.questions if question.purpose == "turn"][-1].messages[-1].text

    @property
    def last_words(self) -> str:
        """The last user message that was put before the model."""
        return self.questions[-1].messages[-1].text


def reader_says(question: Question, readings: Mapping[str, Reading], others: Reading | None = None) -> ReadStatements:
    """What a reader says of the statements in a question: of those in `readings` that, of all `others` the same."""
    shown = question.messages[0].text
    ids = [(int(id_), text) for id_, text in re.findall(r"^\((\d+)\) (.+) \[[^]]*\]$", shown, re.MULTILINE)]
    told = [(id_, readings.get(text, others)) for id_, text in ids]
    return ReadStatements.model_validate({"answers": [{"id": id_, "answer": one} for id_, one in told if one]})


def _answer(question: Question, text: str, calls: tuple[ToolCall, ...] = ()) -> Answer:
    return Answer(text, "tools" if calls else "stop", "scripted", "script", question.tier, calls)


class NoVectors:
    """memoryd is away: recall goes on by full text."""

    def embed(self, texts: Sequence[str], *_: Any, **__: Any) -> list[list[float]]:
        raise VectorsAway("not in this test")

    def said(self, texts: Sequence[str], *_: Any, **__: Any) -> tuple[str, list[list[float]]]:
        raise VectorsAway("not in this test")

    def near_danger(self, text: str, *, multilingual: bool = False) -> float | None:
        raise VectorsAway("not in this test")

    def compare(self, texts: Sequence[str], *_: Any, **__: Any) -> list[list[float]]:
        raise VectorsAway("not in this test")

    def expect(self, text: str) -> None:
        pass

    def expect_recall(self, text: str, **_: Any) -> None:
        pass

    def query(self, *_: Any, **__: Any) -> Any:
        raise VectorsAway("not in this test")

    def recall(self, *_: Any, **__: Any) -> Any:
        raise VectorsAway("not in this test")

    def score(self, *_: Any, **__: Any) -> Any:
        raise VectorsAway("not in this test")

    def nudge(self) -> None:
        raise VectorsAway("not in this test")

    def audit(self) -> Any:
        raise VectorsAway("not in this test")

    def rebuild(self) -> None:
        raise VectorsAway("not in this test")

    def stop(self) -> None:
        raise VectorsAway("not in this test")


@dataclass
class Watched:
    """A stage that remembers what was seen."""

    texts: list[str] = field(default_factory=list)
    begun: int = 0
    ended: int = 0
    shown: bool = False
    stopped: bool = False

    async def begin(self) -> None:
        self.begun += 1

    async def show(self, words: Callable[[], str]) -> None:
        self.texts.append(words())

    async def end(self) -> None:
        self.ended += 1


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
def model() -> Script:
    return Script()


@pytest.fixture
def stage() -> Watched:
    return Watched()


@pytest.fixture
def world(tmp_path: Path, database: Database, clock: FrozenClock, model: Script, stage: Watched) -> World:
    settings = Settings(furoshiki_data=tmp_path, furoshiki_timezone="Europe/Lisbon", furoshiki_seed=7)
    prepare(tmp_path)
    laws = shipped()
    return World(
        clock=clock,
        rng=random.Random(7),
        database=database,
        vectors=NoVectors(),
        ask=model,
        state=StateFiles(tmp_path / "memory", lambda: heartbeat.rebuilt(database, laws, clock.now()), clock.now),
        prompts=PROMPTS,
        settings=settings,
        zone=ZoneInfo("Europe/Lisbon"),
        laws=laws,
        words=lambda told: lexicon(find_second_language(settings, database, told)),
        config=ROOT / "config",
        caring=load_care_words,
        head=signal_head,
        meaning=load_meaning_head,
        danger_head=danger_head,
        stage=lambda _envelope: stage,
    )


@dataclass
class Human:
    """Somebody who writes to the companion and looks at what comes back."""

    world: World
    worker: Worker
    channel: str = "telegram"
    chat_id: str = "7"
    sent: int = 0

    def writes(self, text: str, kind: str = "text", **payload: Any) -> int:
        """Put a message into the inbox; returns its row."""
        self.sent += 1
        number = 100 + self.sent
        found = {
            "chat_id": self.chat_id,
            "message_id": str(number),
            "text": text,
            "private": True,
            "at": self.world.now.isoformat(),
            **payload,
        }
        new = NewEnvelope(self.channel, f"update-{number}", self.chat_id, events.read(kind, found))
        with self.world.database.write() as db:
            return inbox.store(db, [new], self.world.now)[0]

    async def says(self, text: str, kind: str = "text", **payload: Any) -> list[str]:
        """Write, let the companion think, and read the answer."""
        row = self.writes(text, kind, **payload)
        await self.waits()
        return [one.text for one in self.answers(row)]

    async def waits(self) -> None:
        """Until nothing is left to answer."""
        while await asyncio.wait_for(self.worker.step(), PATIENCE_SECONDS):
            await self.worker.quiet()

    def answers(self, row: int) -> list[Outgoing]:
        with self.world.database.read() as db:
            return outbox.of_turn(db, f"inbox:{row}")

    def envelope(self, row: int) -> dict[str, Any]:
        with self.world.database.read() as db:
            return dict(db.execute("SELECT * FROM inbox WHERE id=?", (row,)).fetchone())


@pytest.fixture
def human(world: World) -> Human:
    return Human(world, Worker(world))


def claimed(world: World) -> Envelope:
    with world.database.write() as db:
        found = inbox.claim(db, world.now)
    assert found is not None
    return found
