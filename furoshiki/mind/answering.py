"""Put a typed question of a script to a mind. What did not fit twice is a system event, and left for the next run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from furoshiki.domain.asking import Answer, Question, Tier
from furoshiki.errors import AnswerUnusable, NoMindAnswered
from furoshiki.mind.worth import silent
from furoshiki.storage import feelings
from furoshiki.world import World

REASON_CHARACTERS = 300
CHEAP: tuple[Tier, ...] = ("fast", "micro")


@dataclass(frozen=True)
class Unanswered:
    """Nobody gave an answer that fits. `nobody` when there is nobody to ask, so that asking on is pointless today."""

    reason: str
    nobody: bool


async def answered(
    world: World, question: Question, now: datetime, event: str, about: Mapping[str, Any]
) -> Answer | Unanswered:
    """The answer, or why there is none; `event` is the system event of a failure, told with what it is `about`."""
    question = affordable(world, question, now)
    try:
        return await world.ask(question)
    except AnswerUnusable as error:
        with world.store.write() as db:
            feelings.announce(db, event, {**about, "reason": str(error)[:REASON_CHARACTERS]}, now)
        return Unanswered(str(error), nobody=False)
    except NoMindAnswered as error:
        return Unanswered(str(error), nobody=True)


def affordable(world: World, question: Question, now: datetime) -> Question:
    """The question for the tier that may be asked: a cheap one when nothing was said for a day."""
    if question.tier in CHEAP:
        return question
    with world.store.read() as db:
        return replace(question, tier="fast") if silent(db, now) else question
