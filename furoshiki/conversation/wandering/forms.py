"""The typed answer of idle wandering. Its content is unverified until judged."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from furoshiki.mind.inner_life.journal.forms import Ids
from furoshiki.models.llm.fields import Share


class Goal(BaseModel):
    """Work for the user in one sentence, and the confidence that they would want it."""

    text: Annotated[str, Field(min_length=8, max_length=300)]
    confidence: Share


class Drifted(BaseModel):
    """One thought in one or two sentences; without ids if only about the companion."""

    kind: Literal["reflection", "question", "hypothesis"]
    text: Annotated[str, Field(min_length=8, max_length=400)]
    messages: Ids = []
    for_them: Annotated[bool, Field(description="Whether they would be glad to hear it")] = False
    goal: Annotated[Goal | None, Field(description="Longer work that it leads to; usually none")] = None


class Wandered(BaseModel):
    """One passing thought, or null."""

    thought: Drifted | None
