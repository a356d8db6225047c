"""The typed answers (unverified) of the companion's thinking. Class docstrings go into the
prompt."""

from typing import Annotated

from pydantic import BaseModel, Field, OnErrorOmit

Ids = Annotated[list[int], Field(max_length=30, description="Ids of the user's messages it rests on")]
Line = Annotated[str, Field(min_length=8, max_length=300)]


class Thought(BaseModel):
    """One thought in one to three sentences; no ids when it is only about what the companion felt."""

    text: Annotated[str, Field(min_length=8, max_length=600)]
    messages: Ids = []


class Expected(BaseModel):
    """What they might need, why, and when."""

    need: Line
    why: Line
    when: Annotated[str, Field(description="ISO date, or date and time, in their zone")]
    expires: Annotated[str, Field(description="ISO date after which it makes no sense any more")]
    messages: Annotated[Ids, Field(min_length=1)]


class Wondering(BaseModel):
    """Something the companion would like to know."""

    text: Line
    messages: Ids = []


class ToSay(BaseModel):
    """Something worth saying to them, and the day before which it makes no sense."""

    text: Line
    after: str | None = None
    messages: Annotated[Ids, Field(min_length=1)]


class Musing(BaseModel):
    """What the companion writes for itself when it looks at a stretch of time."""

    entry: Annotated[list[Thought], Field(min_length=1, max_length=6)]
    anticipations: Annotated[list[OnErrorOmit[Expected]], Field(max_length=3)] = []
    curiosities: Annotated[list[OnErrorOmit[Wondering]], Field(max_length=3)] = []
    self_questions: Annotated[list[OnErrorOmit[Wondering]], Field(max_length=2)] = []
    thoughts: Annotated[list[OnErrorOmit[ToSay]], Field(max_length=2)] = []


class Contemplation(BaseModel):
    """One short thought, or null when nothing comes of it."""

    thought: Thought | None
