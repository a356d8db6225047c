"""A house in which somebody lives with the companion: the brain's own schedule, a clock that is set, real use cases.

No process is started: each script's question whether there is anything to do is asked when the schedule says so, and
its use case is called. Scripts that would run every few minutes may be thinned out (`thinned`), so that a month takes a
minute.
"""

from __future__ import annotations

import inspect
import random
import shutil
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from pathlib import Path

from furoshiki.app.jobs import JOBS, due, import_function
from furoshiki.app.scheduler import schedule_file
from furoshiki.app.scheduler.rules import Timing, slots
from furoshiki.app.scheduler.store import runs
from furoshiki.app.wiring import inner_life, lexicon, load_care_words, prepare
from furoshiki.conversation.worker import Worker
from furoshiki.core.database.connection import Database
from furoshiki.core.paths import ROOT
from furoshiki.core.prompts import Prompts
from furoshiki.core.settings import Settings
from furoshiki.feelings import heartbeat
from furoshiki.feelings.state_files import StateFiles
from furoshiki.messages.store import accounts, turns
from furoshiki.messages.values import USER
from furoshiki.models.llm.values import Answer, Question
from furoshiki.world import Vectors, World
from tests.support.world import FrozenClock, Human, NoVectors

BETWEEN_MESSAGES = 50
"""Seconds."""


@dataclass(frozen=True)
class Ran:
    """One run of a script that had something to do: when, CPU seconds, and what it said."""

    at: datetime
    name: str
    cpu_s: float
    summary: str


@dataclass(frozen=True)
class Felt:
    """How the companion was at a moment: the word for it, and what is behind it."""

    at: datetime
    mood: str
    emotions: Mapping[str, float]


@dataclass
class House:
    """Time passes only in `until` and between messages. `without` names scripts that never run."""

    world: World
    clock: FrozenClock
    thinned: Mapping[str, timedelta] = field(default_factory=dict)
    without: frozenset[str] = frozenset({"backup"})
    ran: list[Ran] = field(default_factory=list)
    felt: list[Felt] = field(default_factory=list)
    """After every message and every tick."""

    asked: int = 0
    """How often a script's question was asked."""

    asking_s: float = 0.0
    """CPU seconds that those questions took."""

    def __post_init__(self) -> None:
        self.human = Human(self.world, Worker(self.world))
        self._last: dict[str, datetime] = {}

    async def until(self, moment: datetime) -> None:
        """Let time pass with what the brain would run meanwhile, in its order."""
        due: list[tuple[datetime, str]] = []
        for entry in schedule_file.read(Path("/nowhere")).values():
            if entry.script.stem not in self.without:
                zone: tzinfo = self.world.zone if entry.zone == "user" else self.clock.at.tzinfo or self.world.zone
                due += [(at, entry.script.stem) for at in self._slots(entry.timing, zone, moment)]
        for at, name in sorted(due):
            self.clock.at = max(at, self.clock.at)
            await self.run(name)
        self.clock.at = max(moment, self.clock.at)

    async def run(self, name: str) -> None:
        """This script, when it has something to do."""
        began = time.process_time()
        with self.world.database.read() as db:
            steps = due(JOBS[name].steps, db, self.world.now)
        self.asked += 1
        self.asking_s += time.process_time() - began
        if not steps:
            return
        at, began = self.clock.at, time.process_time()
        with self.world.database.write() as db:
            run_id = runs.begin(db, name, at)
        reports = []
        for step, _ in steps:
            found = import_function(step.use_case)(self.world)
            reports.append(await found if inspect.isawaitable(found) else found)
        did, summary = any(one.did for one in reports), "; ".join(one.summary for one in reports)
        spent = time.process_time() - began
        with self.world.database.write() as db:
            runs.finish(db, run_id, self.world.now, 0, did_work=did, summary=summary)
        self.ran.append(Ran(at, name, spent, summary))
        if name == "soul_engine":
            self._feel()

    async def say(self, text: str) -> int:
        """One message and its answer; returns the turn it became."""
        row = self.human.writes(text)
        await self.human.waits()
        with self.world.database.read() as db:
            heard = [turn.id for turn in turns.of_key(db, f"inbox:{row}") if turn.speaker == USER]
        assert heard, self.human.envelope(row)
        self._feel()
        self.clock.pass_(seconds=BETWEEN_MESSAGES)
        return heard[-1]

    def _feel(self) -> None:
        beat = self.world.state.heartbeat()
        self.felt.append(Felt(self.world.now, beat.mood.word, beat.emotions.as_mapping()))

    def _slots(self, timing: Timing, zone: tzinfo, moment: datetime) -> list[datetime]:
        rest = self.thinned.get(timing.name, timedelta(0))
        found = []
        for at in slots(timing, self.clock.at, zone):
            if at > moment:
                break
            last = self._last.get(timing.name)
            if last is None or at - last >= rest:
                self._last[timing.name] = at
                found.append(at)
        return found


def opened(
    data: Path,
    empty_database: Path,
    at: datetime,
    zone: tzinfo,
    ask: Callable[[FrozenClock], Callable[..., Awaitable[Answer]]],
    vectors: Vectors | None = None,
) -> tuple[World, FrozenClock]:
    """A new house at a moment: an empty database, shipped settings, an owner, and the mind that `ask` makes."""
    prepare(data)
    shutil.copyfile(empty_database, data / "memory" / "longmemory.sqlite")
    return lived_in(data, at, zone, ask, vectors)


def lived_in(
    data: Path,
    at: datetime,
    zone: tzinfo,
    ask: Callable[[FrozenClock], Callable[..., Awaitable[Answer]]],
    vectors: Vectors | None = None,
) -> tuple[World, FrozenClock]:
    """A house that is there already, at a moment."""
    database = Database(data / "memory" / "longmemory.sqlite", busy_seconds=5.0)
    clock, laws = FrozenClock(at), inner_life(data, Settings())
    mind = ask(clock)

    async def asked(question: Question, on_text: Callable[[str], Awaitable[None]] | None = None) -> Answer:
        return await mind(question, on_text)

    world = World(
        clock=clock,
        rng=random.Random(7),
        database=database,
        vectors=vectors or NoVectors(),
        ask=asked,
        state=StateFiles(data / "memory", lambda: heartbeat.rebuilt(database, laws, clock.now()), clock.now),
        prompts=Prompts(ROOT / "prompts"),
        settings=Settings(furoshiki_data=data, furoshiki_timezone=str(zone), furoshiki_seed=7),
        zone=zone,
        laws=laws,
        words=lexicon,
        config=ROOT / "config",
        caring=load_care_words,
    )
    with database.write() as db:
        accounts.pair(db, "telegram", "7", "7", "owner", world.now, "Judith")
    return world, clock
