"""The typed answers of the companion's own thinking. Their content is unverified until judged."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field, OnErrorOmit

Ids = Annotated[list[int], Field(max_length=30, description="Ids of the user's messages it rests on")]
Line = Annotated[str, Field(min_length=8, max_length=300)]


class Thought(BaseModel):
    """One thought in one to three sentences; without ids if only about the companion's feelings."""

    text: Annotated[str, Field(min_length=8, max_length=600)]
    messages: Ids = []


class Expected(BaseModel):
    """A need that the user may have: what, why and when."""

    need: Line
    why: Line
    when: Annotated[str, Field(description="ISO date, or date and time, in their zone")]
    expires: Annotated[str, Field(description="ISO date after which it makes no sense any more")]
    messages: Annotated[Ids, Field(min_length=1)]


class Wondering(BaseModel):
    """Something the companion wants to know."""

    text: Line
    messages: Ids = []


class ToSay(BaseModel):
    """Something to say to the user, and the earliest date for it."""

    text: Line
    after: str | None = None
    messages: Annotated[Ids, Field(min_length=1)]


class Musing(BaseModel):
    """A journal entry about a period of time, and its results."""

    entry: Annotated[list[Thought], Field(min_length=1, max_length=6)]
    anticipations: Annotated[list[OnErrorOmit[Expected]], Field(max_length=3)] = []
    curiosities: Annotated[list[OnErrorOmit[Wondering]], Field(max_length=3)] = []
    self_questions: Annotated[list[OnErrorOmit[Wondering]], Field(max_length=2)] = []
    thoughts: Annotated[list[OnErrorOmit[ToSay]], Field(max_length=2)] = []


class Contemplation(BaseModel):
    """One short thought, or null."""

    thought: Thought | None
