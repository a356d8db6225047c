"""The schema of a model's answer to a second look at a message."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from furoshiki.language.lexicon import Feeling
from furoshiki.models.llm.fields import Share


class ReadSignal(BaseModel):
    """One feeling in a message, and its strength."""

    category: Feeling
    strength: Share


class ReadSignals(BaseModel):
    """The writer's feelings in a message; empty if there are none."""

    signals: Annotated[list[ReadSignal], Field(max_length=4)]
