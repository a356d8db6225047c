"""Let a small model, if any, read requests for reminders that no rule understands."""

from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.language.dates import parsing, recurrence
from furoshiki.language.dates.habits import Habits
from furoshiki.language.dates.parsing import FURTHEST, Unclear, When
from furoshiki.language.dates.time_changes import parse_time
from furoshiki.language.reflex.reminders.values import Remind
from furoshiki.language.words import RUN, count_words, fold
from furoshiki.models.llm.values import Block, Message, Question
from furoshiki.world import World

TIMEOUT_S = 20.0

LEAST_WORDS = 4
"""Minimum words of a request without a readable time; shorter ones name no time."""


class ReadReminder(BaseModel):
    """What somebody wants to be reminded of, and when."""

    verdict: Annotated[Literal["clear", "unclear"], Field(description="unclear: no time, or more than one reading")]
    title: Annotated[str, Field(max_length=300, description="In their words, without the time")] = ""
    when: Annotated[str, Field(max_length=40, description="By their clock: 2026-11-22T18:00")] = ""
    recurrence: Annotated[str, Field(max_length=120, description="FREQ=WEEKLY;BYDAY=MO, or empty")] = ""


async def read(world: World, said: str, now: datetime, habits: Habits, turn_key: str) -> Remind | None:
    """Return the requested reminder; None when no model read it, or its answer is rejected. `now`
    is aware, in the user's zone. Ambiguous times are not given to a model: only the user knows."""
    found = parsing.parse_when(said, now, habits)
    if not (isinstance(found, Unclear) and found.unread or found is None and count_words(said) >= LEAST_WORDS):
        return None
    question = Question(
        tier="fast",
        purpose="reminder",
        system=(Block(world.prompts.render("remind/instructions"), True),),
        messages=(Message("user", _material(world, said, now)),),
        answer=ReadReminder,
        max_tokens=300,
        timeout_s=TIMEOUT_S,
        turn_key=turn_key,
    )
    try:
        answer = await world.ask(question)
    except (AnswerUnusable, NoMindAnswered):
        return None
    found_it = answer.parsed
    if not isinstance(found_it, ReadReminder) or found_it.verdict != "clear":
        return None
    return build_reminder(found_it.title, found_it.when, found_it.recurrence, said, now, habits)


def _material(world: World, said: str, now: datetime) -> str:
    shown = now.strftime("%A, %-d %B %Y, %H:%M")
    return world.prompts.render("remind/material", now=shown, zone=str(now.tzinfo), said=said)


# -- what a model read --
#
# A model may misread, and the result would ring. The time must be in the future, the title's words
# must occur in the request, and a recurrence must be valid; otherwise the user is asked.


SHORTEST = timedelta(hours=1)
"""Minimum interval of a recurrence read by a model."""


def build_reminder(title: str, when: str, rhythm: str, said: str, now: datetime, habits: Habits) -> Remind | None:
    """Return the reminder in `said`; None when rejected. `now` is in the user's zone."""
    title = " ".join(title.split())
    if not title or not _words(title) <= _words(said):
        return None
    found = parse_time(when, now, habits)
    if not isinstance(found, When) or not now < found.at <= now + FURTHEST:
        return None
    rule = rhythm.strip() or None
    if rule is not None and not _can_be_kept(rule, found.at, now):
        return None
    return Remind(title, When(found.at, 0, 0, rule))


def _words(text: str) -> frozenset[str]:
    return frozenset(fold(word) for word in RUN.findall(text))


def _can_be_kept(rule: str, first: datetime, now: datetime) -> bool:
    assert now.tzinfo is not None
    try:
        recurrence.find_next(rule, first, now, now.tzinfo)
        return recurrence.closest(rule, first, now.tzinfo) >= SHORTEST
    except ValueError:
        return False
