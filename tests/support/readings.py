"""A conversation, and a model that reads it."""

from __future__ import annotations

from typing import Any

from furoshiki.mind.post_conversation.reading_form import SessionReading
from furoshiki.models.llm.values import Answer, Question
from tests.support.world import FrozenClock, Human, Script

READING: dict[str, Any] = {
    "connection_quality": 0.8,
    "warmth": 0.7,
    "topics": ["the harbour"],
    "user_state": "Tired and a little proud.",
    "summary": "They talked about the harbour.",
    "authentic": 4,
    "grounded": 4,
}


def reading(**more: Any) -> Any:
    def answer(question: Question) -> Answer:
        parsed = SessionReading.model_validate({**READING, **more})
        return Answer("", "stop", "scripted", "script", question.tier, parsed=parsed)

    return answer


def fact(text: str, object_: str, messages: list[int], **more: Any) -> dict[str, Any]:
    return {"text": text, "subject": "user", "predicate": "works_at", "object": object_, "messages": messages, **more}


async def talk(human: Human, model: Script, clock: FrozenClock, *lines: str) -> None:
    for line in lines:
        model.lines.append("Mhm.")
        await human.says(line)
        clock.pass_(minutes=1)
