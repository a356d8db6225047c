"""The typed answer that is asked for right after a message: what somebody told of themselves in it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from furoshiki.llm.fields import Id
from furoshiki.post_conversation.reading_form import ReadFact

MOST_FACTS = 30


def _usable(value: Any) -> Any:
    """The facts that have the right form: one that has not costs itself."""
    if not isinstance(value, list):
        return value
    found = []
    for one in value:
        try:
            found.append(ReadFact.model_validate(one))
        except ValidationError:
            continue
    return found[:MOST_FACTS]


class ReadTold(BaseModel):
    """What was told, and which of the waiting questions it answers. A claim until each fact is judged."""

    facts: Annotated[list[ReadFact], Field(max_length=MOST_FACTS), BeforeValidator(_usable)] = []
    answered: Annotated[list[Id], Field(max_length=20, description="Numbers of waiting questions it answers")] = []
