"""Kills a program again and again while somebody talks to it, and counts what became of the messages.

Three ways to die, in turn: at a random moment while messages come in, at a random moment while it is still starting,
and at a named point of the code (`FUROSHIKI_CRASH_AT`). Meanwhile some answers of Telegram are cut after the work was
done, which is what makes a send uncertain.

A turn that died three times is given up in words, because then the message may be what kills; that rule has tests of
its own. So a message that has died twice is left in peace here until it is answered.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import dataclass, field

from tests.e2e.program import Program, numbers
from tests.emulators.llm import LLMEmulator, Say
from tests.emulators.llm.request import Request
from tests.emulators.telegram import TelegramEmulator

POINTS = (
    "inbox.stored",
    "worker.claimed",
    "turn.answered",
    "turn.journaled",
    "turn.before_commit",
    "turn.after_commit",
    "turn.before_settled",
    "outbox.claimed",
    "outbox.sent",
    "store.before_commit",
    "store.after_commit",
    "atomic.before_rename",
    "atomic.after_rename",
)
"""Where the listener may be told to die. The last four are passed many times a turn."""

OFTEN = 20
"""How often a point of the last four is passed at most before the process dies there."""

CUT_SENDS = 0.05
LONG_EVERY = 11
"""Every so many messages get an answer of several Telegram messages."""

POINT_SECONDS = 10.0
"""How long a process may take to come to its point; then it is killed where it is."""

QUIET_SECONDS = 180.0
"""How long it may take until all is answered: fifteen messages may wait, a cut send is looked into for three seconds,
and the machine may be busy with other things."""

GIVEN_UP = "Something in me breaks"


@dataclass
class Outcome:
    """What the chat shows afterwards. Lists hold the numbers of messages."""

    sent: int = 0
    lost: list[int] = field(default_factory=list)
    doubled: list[int] = field(default_factory=list)
    torn: list[int] = field(default_factory=list)
    """Answers of several messages of which one part is missing or there twice."""
    disordered: list[int] = field(default_factory=list)
    edited: list[int] = field(default_factory=list)
    """Replies whose words changed after they had been sent: nobody should read one thing and find another."""
    given_up: int = 0
    kills: Counter[str] = field(default_factory=Counter)
    calls: int = 0
    """Calls of the model, to see that no answer was paid for twice without need."""
    seconds: float = 0.0
    evidence: list[str] = field(default_factory=list)
    """The replies that have to do with what went wrong."""

    @property
    def clean(self) -> bool:
        return not (self.lost or self.doubled or self.torn or self.disordered or self.edited or self.given_up)


class Killing:
    """One person, one program that takes so many seconds to start, and somebody with a grudge. `run` it once."""

    def __init__(
        self, program: Program, telegram: TelegramEmulator, llm: LLMEmulator, seed: int, start_seconds: float = 1.5
    ) -> None:
        self._program = program
        self._start_seconds = start_seconds
        self._telegram = telegram
        self._llm = llm
        self._rng = random.Random(seed)
        self._outcome = Outcome()
        self._dice = random.Random(seed + 1)
        llm.script = self._echo
        program.set(FUROSHIKI_BUBBLES="true")
        telegram.faults.cut_after("sendMessage", p=CUT_SENDS)
        telegram.faults.cut_after("getUpdates", p=CUT_SENDS)

    def run(self, kills: int) -> Outcome:
        """Kill so often, then let it finish in peace and look at the chat."""
        began = time.monotonic()
        self._program.listening().kill()  # the first start makes the database and is slow
        for number in range(kills):
            self._round(number)
        self._telegram.faults.clear()
        last = self._program.listening()
        self._program.wait_quiet(QUIET_SECONDS)
        last.stop()
        self._judge()
        self._outcome.seconds = time.monotonic() - began
        return self._outcome

    def _round(self, number: int) -> None:
        rng, tired = self._rng, self._tired()
        point = POINTS[number // 2 % len(POINTS)] if number % 2 else None
        if tired or point is None:
            if not tired and rng.random() < 0.15:
                running = self._program.start("listen")
                time.sleep(rng.uniform(0.0, self._start_seconds))
                self._say()
                kind = "while starting"
            else:
                running = self._program.listening()
                if tired:
                    self._program.wait_quiet(QUIET_SECONDS)
                self._talk(rng.uniform(0.02, 1.5))
                kind = "at a random moment"
            running.kill()
            self._outcome.kills[kind] += 1
            return
        nth = rng.randint(1, OFTEN if point in POINTS[-4:] else 2)
        running = self._program.start("listen", FUROSHIKI_CRASH_AT=f"{point}:{nth}")
        self._say()
        until = time.monotonic() + POINT_SECONDS
        while running.alive() and time.monotonic() < until:
            time.sleep(rng.uniform(0.02, 0.3))
            if rng.random() < 0.5:
                self._say()
        died = not running.alive()
        running.kill()
        self._outcome.kills[point if died else "at a random moment"] += 1

    def _talk(self, seconds: float) -> None:
        """Say something now and then, for so long."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self._say()
            time.sleep(min(left, self._rng.uniform(0.05, 0.8)))

    def _say(self) -> None:
        self._outcome.sent += 1
        self._telegram.say(f"message {self._outcome.sent}")

    def _tired(self) -> bool:
        """Whether a message has died twice already."""
        died = "SELECT max(attempts + (state='processing')) FROM inbox WHERE state IN ('pending','processing')"
        return int(self._program.value(died) or 0) >= 2

    def _echo(self, request: Request) -> Say:
        heard = numbers([request.words])
        text = "re: " + ", ".join(f"message {number}" for number in heard)
        if heard and heard[0] % LONG_EVERY == 0:
            text = f"{text}\n\nThere is more to say about this than fits into one breath.\n\nthe end {heard[0]}"
        return Say(text, delay=self._dice.choice((0.0, 0.0, 0.05, 0.3)))

    def _judge(self) -> None:
        outcome, replies = self._outcome, self._telegram.replies()
        answered = Counter(numbers(replies))
        outcome.lost = [number for number in range(1, outcome.sent + 1) if not answered[number]]
        outcome.doubled = [number for number, times in answered.items() if times > 1]
        order = numbers(replies)
        outcome.disordered = [b for a, b in zip(order, order[1:], strict=False) if b < a]
        outcome.given_up = sum(reply.startswith(GIVEN_UP) for reply in replies)
        begun = [found[0] for reply in replies if (found := numbers([reply])) and found[0] % LONG_EVERY == 0]
        ended = Counter(numbers(replies, "end"))
        outcome.torn = sorted(number for number in {*begun, *ended} if ended[number] != 1)
        outcome.edited = [one.id for one in self._telegram.chat() if one.author == "bot" and one.edits]
        outcome.calls = len(self._llm.requests)
        wrong = {*outcome.lost, *outcome.doubled, *outcome.torn, *outcome.disordered}
        outcome.evidence = [
            f"{message.id}: {message.text[:60]!r} … {message.text[-30:]!r}"
            for message in self._telegram.chat()
            if wrong & {*numbers([message.text]), *numbers([message.text], "end")}
        ]
