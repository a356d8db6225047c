"""Typed model calls of background scripts. Unusable answers are recorded and left for later."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol

from furoshiki.core.catalogue import Sentence, later
from furoshiki.core.database import events, kv
from furoshiki.core.database.connection import Database
from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.messages.store import turns
from furoshiki.models.llm.store import waits
from furoshiki.models.llm.values import Answer, Ask, Question, Tier

REASON_CHARACTERS = 300
OVERNIGHT_S = 1800.0  # seconds that a nightly script with one step waits for an answer from a batch

# Seconds of waiting in a script of several dependent steps. Time limits in schedules.json include
# this wait and normal calls after it.
STEP_S = 600.0

CHEAP: tuple[Tier, ...] = ("fast", "micro")


class Asker(Protocol):
    """Access to the models, and to the database with pauses after failures. A World is one."""

    @property
    def ask(self) -> Ask: ...

    @property
    def database(self) -> Database:
        """The database with pauses after failures."""


class Hander(Asker, Protocol):
    """An Asker that can submit questions as a batch."""

    @property
    def hand_in(self) -> Callable[[Sequence[Question]], Awaitable[None]]:
        """Submits questions as a batch, if batches are on."""


@dataclass(frozen=True)
class Unanswered:
    """No usable answer. `nobody`: no model can be called, so further calls are pointless today;
    `away`: a model may answer another day, so do not decide by rule now."""

    reason: str
    nobody: bool
    away: bool = False


async def ask_mind(
    asker: Asker, question: Question, now: datetime, event: str, about: Mapping[str, Any]
) -> Answer | Unanswered:
    """Return the answer, or why there is none; an unusable one is recorded as `event`."""
    try:
        return await patiently(asker, affordable(asker, question, now), now)
    except AnswerUnusable as error:
        with asker.database.write() as db:
            events.announce(db, event, {**about, "reason": str(error)[:REASON_CHARACTERS]}, now)
        return Unanswered(error.args[0], nobody=False)
    except NoMindAnswered as error:
        return Unanswered(error.args[0], nobody=True, away=error.away)


async def patiently(asker: Asker, question: Question, now: datetime) -> Answer:
    """Return the answer. After failures there is a pause, growing with each, so that an outage
    costs nothing and an unusable model little. Raises AnswerUnusable and NoMindAnswered."""
    with asker.database.read() as db:
        wait = waits.of(db, question.purpose, now)
    if wait is not None:
        again = later("{reason} (tried again after {until} UTC)")
        raise NoMindAnswered(Sentence(again, reason=wait.reason, until=f"{wait.until:%Y-%m-%d %H:%M}"), away=True)
    try:
        answer = await asker.ask(question)
    except (AnswerUnusable, NoMindAnswered) as error:
        if isinstance(error, AnswerUnusable) or error.away:
            cause: waits.Cause = "unusable" if isinstance(error, AnswerUnusable) else "away"
            with asker.database.write() as db:
                waits.record_failure(db, question.purpose, cause, error.args[0], now)
        raise
    with asker.database.read() as db:
        waited = bool(kv.get(db, waits.KEY))
    if waited:
        with asker.database.write() as db:
            waits.end_wait(db, question.purpose, now)
    return answer


async def together(asker: Hander, questions: Sequence[Question], now: datetime) -> None:
    """Submit independent questions as a batch, before they are asked one after the other."""
    with asker.database.read() as db:
        waiting = [question for question in questions if waits.of(db, question.purpose, now) is None]
    if len(waiting) > 1:
        await asker.hand_in([affordable(asker, question, now) for question in waiting])


def affordable(asker: Asker, question: Question, now: datetime) -> Question:
    """Return the question with an affordable tier: "fast" after a day without messages."""
    if question.tier in CHEAP:
        return question
    with asker.database.read() as db:
        return replace(question, tier="fast") if turns.silent(db, now) else question
