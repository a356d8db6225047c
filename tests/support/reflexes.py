"""The built-in mind in the place of the scripted model: conversations through the real turn, without a model."""

from __future__ import annotations

import random

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.core.errors import NoMindAnswered
from furoshiki.models.llm.values import Answer, Question
from tests.support.world import Script

MANY = 200


def reflexive(model: Script) -> None:
    """Let the built-in mind answer from here on."""
    mind = ReflexMind(random.Random(7))

    def say(question: Question) -> Answer:
        if question.purpose == "danger":
            raise NoMindAnswered("no model is there to read it")
        answer = mind(question, why="no-model")
        assert answer is not None
        return answer

    model.reads_danger, model.lines = True, [say] * MANY
