"""The typed answer (unverified) of idle wandering. Class docstrings go into the prompt."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from furoshiki.mind.inner_life.journal.forms import Ids
from furoshiki.models.llm.fields import Share


class Goal(BaseModel):
    """Work that would serve what they want, as one sentence, and how sure it is that they would want it."""

    text: Annotated[str, Field(min_length=8, max_length=300)]
    confidence: Share


class Drifted(BaseModel):
    """One thought in one or two sentences; no ids when it is only about the companion itself."""

    kind: Literal["reflection", "question", "hypothesis"]
    text: Annotated[str, Field(min_length=8, max_length=400)]
    messages: Ids = []
    for_them: Annotated[bool, Field(description="Whether they would be glad to hear it")] = False
    goal: Annotated[Goal | None, Field(description="Longer work that it leads to; usually none")] = None


class Wandered(BaseModel):
    """One passing thought, or null when nothing comes of it."""

    thought: Drifted | None
