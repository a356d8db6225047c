"""Put a typed question of a script to a mind. What did not fit twice is a system event, and left for the next run."""

from __future__ import annotations

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
OVERNIGHT_S = 1800.0
"""How long a script of the night that asks once, or all at once, waits for an answer in a batch …"""

STEP_S = 600.0
"""… and one of several steps that follow from each other. Their time limits in schedules.json leave room for that, and
for asking as ever afterwards."""

CHEAP: tuple[Tier, ...] = ("fast", "micro")


class Asker(Protocol):
    """The way to the models, and the database that knows whom not to ask for a while. A World is one."""

    @property
    def ask(self) -> Ask:
        """The way to the models."""
        ...

    @property
    def database(self) -> Database:
        """The database."""
        ...


class Hander(Asker, Protocol):
    """An Asker that can hand questions in together."""

    @property
    def hand_in(self) -> Callable[[Sequence[Question]], Awaitable[None]]:
        """Let questions be answered together, where batches are on."""
        ...


@dataclass(frozen=True)
class Unanswered:
    """Nobody gave an answer that fits. `nobody` when there is nobody to ask, so that asking on is pointless today;
    `away` when somebody will be there another day: then nothing is settled by rule."""

    reason: str
    nobody: bool
    away: bool = False


async def ask_mind(
    asker: Asker, question: Question, now: datetime, event: str, about: Mapping[str, Any]
) -> Answer | Unanswered:
    """The answer, or why there is none; `event` is the system event of a failure, told with what it is `about`."""
    try:
        return await patiently(asker, affordable(asker, question, now), now)
    except AnswerUnusable as error:
        with asker.database.write() as db:
            events.announce(db, event, {**about, "reason": str(error)[:REASON_CHARACTERS]}, now)
        return Unanswered(error.args[0], nobody=False)
    except NoMindAnswered as error:
        return Unanswered(error.args[0], nobody=True, away=error.away)


async def patiently(asker: Asker, question: Question, now: datetime) -> Answer:
    """The answer. After a failure nobody is asked for a while, which grows with each: an outage must cost nothing, and
    a model that never gives a usable answer little. Raises AnswerUnusable and NoMindAnswered."""
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
    """Hand in questions that do not depend on each other and are about to be asked one after the other."""
    with asker.database.read() as db:
        waiting = [one for one in questions if waits.of(db, one.purpose, now) is None]
    if len(waiting) > 1:
        await asker.hand_in([affordable(asker, one, now) for one in waiting])


def affordable(asker: Asker, question: Question, now: datetime) -> Question:
    """The question for the tier that may be asked: a cheap one when nothing was said for a day."""
    if question.tier in CHEAP:
        return question
    with asker.database.read() as db:
        return replace(question, tier="fast") if turns.silent(db, now) else question
