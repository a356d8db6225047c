"""A mind that wanders once over a folder, with a model that always has the same thought."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path

from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from furoshiki.models.llm.structured import ask_typed
from furoshiki.models.llm.values import Answer, Question
from tests.support.deaths import opened
from tests.support.dying_night import NIGHT, awake_in
from tests.support.idle import QUESTION, SAID, only, speak, wander
from tests.support.rows import user_said


async def say(question: Question) -> Answer:
    found = {"thought": {**QUESTION, "messages": list(range(2, 8))}}
    return Answer(json.dumps(found), "stop", "scripted", "script", question.tier)


async def ask(question: Question, on_text: Callable[[str], Awaitable[None]] | None = None) -> Answer:
    return await ask_typed(question, say)


async def once(home: Path) -> None:
    await wander(only(awake_in(home, ask=ask), "decaying"))


def fill(home: Path) -> None:
    """Something that is about to be forgotten, and one memory more that a question about it brings back."""
    with opened(home) as database:
        world = awake_in(home)
        with database.write() as db:
            turn = turns.add(db, user_said("the sea helps after every late shift", NIGHT - timedelta(days=46)))
            memories.add(db, NewMemory("semantic", "The sea helps after every late shift.", (turn,)), NIGHT)
        speak(world, [SAID[1]] * 6, ago=60 * 24 * 45)
        with database.write() as db:
            turns.add(db, user_said("hm", NIGHT - timedelta(hours=1)))
