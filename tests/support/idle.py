"""An idle mind: somebody who spoke of a few things and then fell silent, and what a model would think of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from furoshiki.conversation.wandering.wander import Wandered
from furoshiki.memory.concepts import read_new
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from furoshiki.models.llm.values import Answer, Question
from furoshiki.world import Report, World
from tests.support.rows import user_said

SAID = (
    "the late shifts at the harbour make me tired",
    "after a late shift at the harbour I swim in the sea",
    "Ruben from the harbour lent me his boat for the sea",
)
"""Harbour is in all of them, so it brings the others along."""

REFLECTION: dict[str, Any] = {
    "kind": "reflection",
    "text": "After a late shift they swim in the sea. I have nothing like it.",
    "messages": [2],
}
QUESTION: dict[str, Any] = {"kind": "question", "text": "Does the sea help after a late shift?", "messages": [2]}


def only(world: World, *kinds: str) -> World:
    """The same world, in which the mind begins with these alone."""
    shares = {name: float(name in kinds) for name in world.laws.seed_shares}
    return replace(world, laws=replace(world.laws, seed_shares=shares))


def speak(world: World, said: Sequence[str] = SAID, ago: float = 20, **more: Any) -> list[int]:
    """Things said so many minutes ago, each remembered; returns the memories."""
    at, made = world.now - timedelta(minutes=ago), []
    with world.database.write() as db:
        for text in said:
            turn = turns.add(db, user_said(text, at))
            made.append(memories.add(db, NewMemory("episodic", text, (turn,), **more), at))
        read_new(db, at)
    return made


def thinks(thought: Mapping[str, Any] | None) -> Any:
    """A model that has this thought."""

    def answer(question: Question) -> Answer:
        parsed = Wandered.model_validate({"thought": thought})
        return Answer("", "stop", "scripted", "script", question.tier, parsed=parsed, cost_usd=0.001)

    return answer


async def wander(world: World) -> Report:
    """The job as it is run: its question first."""
    from furoshiki.conversation.wandering import due, wander

    with world.database.read() as db:
        if due.wander(db, world.now) is None:
            return Report(False, "not idle")
    return await wander.wander(world)


def rows(world: World, question: str, *values: object) -> list[dict[str, Any]]:
    with world.database.read() as db:
        return [dict(row) for row in db.execute(question, values)]


def strength_of(world: World, name: str, at: datetime) -> float:
    from furoshiki.memory.store import concepts

    with world.database.read() as db:
        [held] = db.execute(
            "SELECT memory_id FROM memory_concepts JOIN concepts ON id=concept_id WHERE name=? LIMIT 1", (name,)
        )
        [one] = [c for c in concepts.of_memories(db, [held[0]])[held[0]] if c.name == name]
    return one.strength_at(at)
