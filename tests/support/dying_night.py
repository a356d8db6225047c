"""One night of thinking over a folder's memory, with a mind that always answers the same."""

from __future__ import annotations

import json
import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from furoshiki.app.wiring import inner_life, lexicon, prepare
from furoshiki.core.database.connection import Database
from furoshiki.core.errors import NoMindAnswered
from furoshiki.core.paths import ROOT
from furoshiki.core.settings import Settings
from furoshiki.feelings import heartbeat
from furoshiki.feelings.state_files import StateFiles
from furoshiki.memory import weighing
from furoshiki.mind.consolidation.synthesis.steps import STEPS
from furoshiki.models.llm.structured import ask_typed
from furoshiki.models.llm.values import Answer, Question
from furoshiki.world import World
from tests.support.deaths import database_in
from tests.support.world import PROMPTS, FrozenClock, NoVectors

NIGHT = datetime(2026, 3, 27, 4, 0, tzinfo=UTC)

ANSWERS: dict[str, Any] = {
    "questions": {"questions": ["What does the sea have to do with hard days at the harbour?"]},
    "insights": {"insights": [{"text": "They go to the sea after hard days at the harbour.", "memories": [1, 2, 3]}]},
    "merged": {"text": "They drink their coffee black and without any sugar.", "memories": [4, 5, 6]},
    "narrative": {
        "value": "coffee without sugar",
        "because": [
            {"memory": 4, "what": "they drink black coffee without sugar"},
            {"memory": 5, "what": "they drink black coffee without any sugar"},
        ],
    },
    "tensions": {"tensions": [{"value": 7, "acts": [8], "strength": 0.9}]},
    "lines": {
        "lines": [
            {"memory": 4, "line": "black coffee without sugar"},
            {"memory": 5, "line": "black coffee without any sugar"},
            {"memory": 6, "line": "black coffee without sugar today"},
        ]
    },
    "rejudgement": {"verdict": "keep_both", "text": None, "memories": []},
}
"""What the mind says to each part, whenever it is asked."""


async def say(question: Question) -> Answer:
    if question.purpose == "grounding":
        raise NoMindAnswered("nobody reads")
    text = json.dumps(ANSWERS[question.purpose.removeprefix("consolidation.")])
    return Answer(text, "stop", "scripted", "script", question.tier)


async def ask(question: Question, on_text: Callable[[str], Awaitable[None]] | None = None) -> Answer:
    return await ask_typed(question, say)


async def night(world: World) -> dict[str, Any]:
    """Every step once, in order."""
    cycle = weighing.cycle(world, "night")
    return {name: await step(world, cycle) for name, step in STEPS}


def world_in(folder: Path, database: Database) -> World:
    settings = Settings(furoshiki_data=folder, furoshiki_timezone="Europe/Lisbon", furoshiki_seed=7)
    prepare(folder)
    laws, clock = inner_life(folder, settings), FrozenClock(NIGHT)
    return World(
        clock=clock,
        rng=random.Random(7),
        database=database,
        vectors=NoVectors(),
        ask=ask,
        state=StateFiles(folder / "memory", lambda: heartbeat.rebuilt(database, laws, clock.now()), clock.now),
        prompts=PROMPTS,
        settings=settings,
        zone=ZoneInfo("Europe/Lisbon"),
        laws=laws,
        words=lexicon,
        config=ROOT / "config",
    )


def awake_in(home: Path, **other: Any) -> World:
    """The world of a home whose database is there, with parts of another."""
    return replace(world_in(home, Database(database_in(home), busy_seconds=5.0)), **other)
