"""Questions about itself, answered by the built-in mind."""

from __future__ import annotations

import dataclasses
from typing import Any

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.conversation.worker import Worker
from furoshiki.models.llm.values import Answer, Question
from furoshiki.world import World
from tests.support.world import Human


def by_reflex(world: World) -> Human:
    """A conversation without any language model."""

    async def ask(question: Question, on_text: Any = None) -> Answer:
        found = ReflexMind(world.rng)(question, why="no-model")
        assert found is not None
        return found

    alone = dataclasses.replace(world, ask=ask)
    return Human(alone, Worker(alone))
