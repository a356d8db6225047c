"""A model that talks, and has no form for anything: as where none is set up for what happens in the background."""

from __future__ import annotations

from furoshiki.core.errors import NoMindAnswered
from furoshiki.models.llm.partial_answer import OnText
from furoshiki.models.llm.values import Answer, Question


async def only_words(question: Question, on_text: OnText | None = None) -> Answer:
    """Words for what is said; NoMindAnswered for whatever wants a form."""
    if question.answer is not None:
        raise NoMindAnswered("no model is set up")
    return Answer("Mhm.", "stop", "local", "reflex", question.tier)
