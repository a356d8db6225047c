"""The typed answer of a second look at a message."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

Category = Literal[
    "anger",
    "frustration",
    "praise",
    "warmth",
    "excitement",
    "worry",
    "sadness",
    "curiosity",
    "disengagement",
    "relief",
]


class ReadSignal(BaseModel):
    """One feeling in a message, and how strong it is."""

    category: Category
    strength: Annotated[float, Field(ge=0, le=1)]


class ReadSignals(BaseModel):
    """What the writer of a message feels; empty when the words carry nothing."""

    signals: Annotated[list[ReadSignal], Field(max_length=4)]
