"""A tick's triage and a night's questions over a folder, with a mind that always says the same."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

from furoshiki.core.database.connection import Database
from furoshiki.mind.inner_life import soul_engine
from furoshiki.mind.inner_life.questions import processing
from furoshiki.models.llm.structured import ask_typed
from furoshiki.models.llm.values import Answer, Question
from furoshiki.world import Report, World
from tests.support.dying_night import world_in
from tests.support.wondering import sort

ANSWER = "They swim in the sea after hard days, when ships are late at the harbour."


async def say(question: Question) -> Answer:
    told: dict[str, object] = {"verdict": "user"}
    if question.purpose == "curiosity_triage":
        told = {"who": "self"}
    elif "go to the sea" in question.messages[0].text.partition("</question>")[0]:
        told = {"verdict": "answered", "answer": ANSWER, "memories": [1, 3], "raises": "Which ships are late most?"}
    return Answer(json.dumps(told), "stop", "scripted", "script", question.tier)


async def ask(question: Question, on_text: Callable[[str], Awaitable[None]] | None = None) -> Answer:
    return await ask_typed(question, say)


async def night(world: World) -> None:
    """Sort, then look into what is open."""
    await sort(world)
    await processing.process(world)


async def lives(world: World) -> Report:
    """A quarter of an hour of the soul engine."""
    found = soul_engine.run(world)
    return found if isinstance(found, Report) else await found


def world_of(folder: Path, database: Database) -> World:
    return dataclasses.replace(world_in(folder, database), ask=ask)
