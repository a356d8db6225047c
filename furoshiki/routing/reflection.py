"""Now and then, while the owner is quiet: a consultant looks back on five answers and says what was missing to choose
the way they were given.

What it says is written on the decisions and changes nothing by itself; how much of it counts is judged where the
router's numbers are looked at (`rules/reflection.py`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BaseModel, Field

from furoshiki.core import refs
from furoshiki.core.database import kv
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import stamp
from furoshiki.language import testimony
from furoshiki.language.humanize import plural
from furoshiki.llm.background import OVERNIGHT_S, Unanswered, answered
from furoshiki.llm.values import Answer, Block, Message, Question
from furoshiki.messages.store import turns
from furoshiki.messages.values import COMPANION, USER, Turn
from furoshiki.routing import weights
from furoshiki.routing.due import REFLECTED_AT, REFLECTION
from furoshiki.routing.due import reflect as due
from furoshiki.routing.rules import reflection as rules
from furoshiki.routing.rules.changes import WEEK
from furoshiki.routing.rules.decisions import Decided, Reflected
from furoshiki.routing.rules.reflection import Dimension
from furoshiki.routing.store import judgements
from furoshiki.world import Report, World

BEFORE = 4
"""Turns that are shown from before a message."""

LONGEST_TOKENS = 150
"""How much of one turn is shown."""

HOW = {
    "RESPOND": "answered in words",
    "CLARIFY": "asked back",
    "ACT": "did something first",
    "ACKNOWLEDGE": "gave a short sign",
    "IGNORE": "said nothing",
}
"""The modes, as a consultant is told of them."""


class Looked(BaseModel):
    """What was missing to choose one way well. A claim until it has been judged."""

    number: Annotated[int, Field(description="The number of the answer")]
    missing: Annotated[list[Dimension], Field(max_length=2)] = []
    confidence: Annotated[float, Field(ge=0, le=1)]
    why: Annotated[str, Field(max_length=300)] = ""


class LookedBack(BaseModel):
    """The same of each answer that was shown."""

    answers: Annotated[list[Looked], Field(max_length=rules.BATCH)]


async def reflect(world: World) -> Report:
    """Have five decisions looked back on, and keep what is said of them."""
    with world.database.read() as db:
        chosen = rules.batch(judgements.open_since(db, world.now - WEEK))
        shown = [_shown(world, db, number, one) for number, one in enumerate(chosen, 1)]
        reason = due(db, world.now)  # asked again: what was decided may have been forgotten meanwhile
    if reason is None:
        return Report(False, "nothing is to be looked back on")
    if not weights.heeded(world):
        return _skipped(world, "nothing is done otherwise for how messages are judged")
    answer = await _ask(world, shown)
    if isinstance(answer, Unanswered):
        if not answer.away:
            _skipped(world, answer.reason)
        return Report(False, f"nobody looked back: {answer.reason}", {"failed": True})
    point("reflection.answered")
    said = _said(chosen, answer.parsed)
    with world.database.write() as db:
        looked = judgements.reflect(db, said, world.now)
        kv.put(db, REFLECTED_AT, stamp(world.now), world.now)
        point("reflection.before_commit")
    sure = sum(bool(one.dimensions) and one.confidence > rules.CONFIDENT for _, one in said)
    summary = f"{plural(looked, 'answer')} looked back on, of {sure} something was missing"
    return Report(True, summary, {"looked": looked, "missing": sure})


def _skipped(world: World, why: str) -> Report:
    """It is thought of again in a day."""
    with world.database.write() as db:
        kv.put(db, REFLECTED_AT, stamp(world.now), world.now)
    return Report(False, why)


async def _ask(world: World, shown: Sequence[dict[str, Any]]) -> Answer | Unanswered:
    companion, now = world.settings.furoshiki_companion_name, world.now
    question = Question(
        tier="reflect",
        purpose=REFLECTION,
        system=(Block(world.prompts.render("routing/reflection", companion=companion), True),),
        messages=(Message("user", world.prompts.render("routing/reflected", companion=companion, answers=shown)),),
        answer=LookedBack,
        max_tokens=1200,
        timeout_s=120.0,
        turn_key=refs.name("routing", now.date().isoformat()),
        batch_s=OVERNIGHT_S,
    )
    return await answered(world, question, now, "reflection_failed", {"step": REFLECTION})


def _said(chosen: Sequence[Decided], read: LookedBack) -> list[tuple[int, Reflected]]:
    """What is said of each decision that was shown; what was left out lacked nothing."""
    by_number = {one.number: one for one in read.answers}
    found: list[tuple[int, Reflected]] = []
    for number, decided in enumerate(chosen, 1):
        one = by_number.get(number)
        why = "" if one is None else " ".join(one.why.split())
        missing = () if one is None else tuple(dict.fromkeys(one.missing))
        found.append((decided.id, Reflected(missing, 0.0 if one is None else one.confidence, why)))
    return found


def _shown(world: World, db: sqlite3.Connection, number: int, one: Decided) -> dict[str, Any]:
    """One decision as a consultant reads it: what went before, what was said, and how it was answered."""
    here = turns.of_key(db, one.turn_key)
    first = min((turn.id for turn in here), default=0)
    after = judgements.beside(db, one, "after")
    following = [] if after is None else turns.of_key(db, after.turn_key)
    return {
        "number": number,
        "before": [_line(world, turn) for turn in turns.before(db, one.channel, one.chat_id, first, BEFORE)],
        "said": [_line(world, turn) for turn in here if turn.speaker == USER],
        "answer": [_line(world, turn) for turn in here if turn.speaker == COMPANION],
        "after": [_line(world, turn) for turn in following if turn.speaker == USER],
        "how": HOW[one.mode],
        "close": one.tie_broken,
    }


def _line(world: World, turn: Turn) -> str:
    who = world.settings.furoshiki_companion_name if turn.speaker == COMPANION else "They"
    return f"{who}: {testimony.marked(turn.text, turn.foreign, LONGEST_TOKENS, flat=True) or '(a sign, no words)'}"
