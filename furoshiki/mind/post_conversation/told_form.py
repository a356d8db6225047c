"""The typed answer that is asked for right after a message: what somebody told of themselves in it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from furoshiki.mind.post_conversation.reading_form import ReadFact
from furoshiki.models.llm.fields import Id, Lenient


class ReadTold(Lenient):
    """What was told, and which of the waiting questions it answers. A claim until each fact is judged."""

    facts: Annotated[list[ReadFact], Field(max_length=30)] = []
    answered: Annotated[list[Id], Field(max_length=20, description="Numbers of waiting questions it answers")] = []
