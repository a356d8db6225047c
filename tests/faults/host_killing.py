"""Kills a host again and again while the people of many homes talk to it through one bot, and reads every chat after.

Ways to die, in turn: at a random moment while messages come in, while it still starts, at a named point of the code.
Nothing may be lost, doubled, or said in the chat of somebody else.
"""

from __future__ import annotations

import contextlib
import random
import re
import sqlite3
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from furoshiki.app import wiring
from furoshiki.host.members import MemberFile
from tests.e2e.program import Program
from tests.emulators.llm import LLMEmulator, Say
from tests.emulators.llm.request import Request
from tests.emulators.telegram import TelegramEmulator
from tests.faults.killing import CUT_SENDS, GIVEN_UP, OFTEN, POINTS
from tests.support.forked_program import ForkedProgram, command

FIRST_PERSON = 1001
UNFINISHED = (
    "SELECT (SELECT count(*) FROM inbox WHERE state IN ('pending','processing'))"
    " + (SELECT count(*) FROM outbox WHERE state IN ('ready','sending') AND channel='telegram')"
)
DIED = "SELECT max(attempts + (state='processing')) FROM inbox WHERE state IN ('pending','processing')"
_SAID = re.compile(r"home (\d+) message (\d+)")


def _without_vectors(*args: str) -> None:
    wiring.spawner = lambda _data: lambda: None
    command(*args)


class WithoutVectors(ForkedProgram):
    """Homes that find by words alone: twenty memoryds beside them would be what is tested."""

    work = staticmethod(_without_vectors)


@dataclass
class Outcome:
    """What the chats show afterwards: (home, number of message)."""

    sent: int = 0
    lost: list[tuple[int, int]] = field(default_factory=list)
    doubled: list[tuple[int, int]] = field(default_factory=list)
    disordered: list[tuple[int, int]] = field(default_factory=list)
    misdelivered: list[tuple[int, str]] = field(default_factory=list)
    given_up: int = 0
    kills: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    @property
    def clean(self) -> bool:
        return not (self.lost or self.doubled or self.disordered or self.misdelivered or self.given_up)


class HostKilling:
    """A host with so many homes, and somebody with a grudge. `run` it once."""

    def __init__(
        self, program: Program, root: Path, names: list[str], telegram: TelegramEmulator, llm: LLMEmulator, seed: int
    ) -> None:
        self._program = program
        self._root = root
        self._people = {name: FIRST_PERSON + number for number, name in enumerate(names)}
        self._telegram = telegram
        self._rng = random.Random(seed)
        self._dice = random.Random(seed + 1)
        self._outcome = Outcome()
        self._counts: Counter[int] = Counter()
        members = MemberFile(root)
        for name, person in self._people.items():
            members.settle(person, name)
        llm.script = self._echo
        telegram.faults.cut_after("sendMessage", p=CUT_SENDS)
        telegram.faults.cut_after("getUpdates", p=CUT_SENDS)

    def run(self, kills: int) -> Outcome:
        """Kill so often, then let it finish in peace and read the chats."""
        began = time.monotonic()
        for number in range(kills):
            self._round(number)
        self._telegram.faults.clear()
        last = self._program.listening("host", "listen")
        self._quiet(90.0)
        last.stop()
        self._judge()
        self._outcome.seconds = time.monotonic() - began
        return self._outcome

    def _round(self, number: int) -> None:
        rng = self._rng
        if self._tired():
            running = self._program.listening("host", "listen")
            self._quiet(90.0)
            running.kill()
            self._outcome.kills["at rest"] += 1
            return
        point = POINTS[number // 2 % len(POINTS)] if number % 2 else None
        if point is None:
            starting = rng.random() < 0.2
            running = self._program.start("host", "listen") if starting else self._program.listening("host", "listen")
            self._talk(rng.uniform(0.02, 0.6 if starting else 1.5))
            running.kill()
            self._outcome.kills["while starting" if starting else "at a random moment"] += 1
            return
        nth = rng.randint(1, OFTEN if point in POINTS[-4:] else 4)
        running = self._program.start("host", "listen", FUROSHIKI_CRASH_AT=f"{point}:{nth}")
        until = time.monotonic() + 6.0
        while running.alive() and time.monotonic() < until:
            self._say()
            time.sleep(rng.uniform(0.02, 0.3))
        died = not running.alive()
        running.kill()
        self._outcome.kills[point if died else "at a random moment"] += 1

    def _talk(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self._say()
            time.sleep(self._rng.uniform(0.02, 0.3))

    def _say(self) -> None:
        person = self._rng.choice(list(self._people.values()))
        self._counts[person] += 1
        self._outcome.sent += 1
        user: dict[str, Any] = {"id": person, "is_bot": False, "first_name": f"P{person}", "language_code": "en"}
        self._telegram.say(f"home {person} message {self._counts[person]}", user=user, chat_id=person)

    def _tired(self) -> bool:
        """Whether a message has died twice already; the third time it would be given up in words."""
        return any(int(self._value(name, DIED) or 0) >= 2 for name in self._people)

    def _quiet(self, seconds: float) -> None:
        until, calm = time.monotonic() + seconds, 0
        while calm < 3:
            waits = {name: count for name in self._people if (count := int(self._value(name, UNFINISHED) or 0))}
            aside = [str(path) for path in (self._root / ".host").glob("set_aside/*/*.json")]
            assert time.monotonic() < until, f"it does not come to rest: {self._telegram.pending}, {waits}, {aside}"
            calm = 0 if self._telegram.pending or waits or aside else calm + 1
            time.sleep(0.1)

    def _value(self, name: str, sql: str) -> Any:
        path = self._root / name / "memory" / "longmemory.sqlite"
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10.0)) as db:
            return db.execute(sql).fetchone()[0]

    def _echo(self, request: Request) -> Say:
        heard = _SAID.findall(request.words)
        return Say(
            "re: " + ", ".join(f"home {home} message {n}" for home, n in heard), delay=self._dice.choice((0, 0.2))
        )

    def _judge(self) -> None:
        outcome = self._outcome
        for person in self._people.values():
            replies = self._telegram.replies(person)
            found = [(int(home), int(number)) for reply in replies for home, number in _SAID.findall(reply)]
            outcome.misdelivered += [(person, f"home {home} message {n}") for home, n in found if home != person]
            order = [number for home, number in found if home == person]
            answered = Counter(order)
            outcome.lost += [(person, n) for n in range(1, self._counts[person] + 1) if not answered[n]]
            outcome.doubled += [(person, n) for n, times in answered.items() if times > 1]
            outcome.disordered += [(person, b) for a, b in zip(order, order[1:], strict=False) if b < a]
            outcome.given_up += sum(reply.startswith(GIVEN_UP) for reply in replies)
