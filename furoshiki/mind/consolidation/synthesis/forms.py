"""The typed answers of consolidation. Their content is unverified until judged."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

Ids = Annotated[list[int], Field(max_length=60)]
Sentence = Annotated[str, Field(min_length=8, max_length=300)]


class SalientQuestions(BaseModel):
    """Questions worth asking about the newest memories."""

    questions: Annotated[list[Annotated[str, Field(min_length=8, max_length=200)]], Field(max_length=6)]


class ReadInsight(BaseModel):
    """An insight with the ids of its memories."""

    text: Sentence
    memories: Annotated[Ids, Field(description="Ids of the memories it follows from, two at least")]


class Insights(BaseModel):
    """Insights from the memories, most certain first."""

    insights: Annotated[list[ReadInsight], Field(max_length=12)]


class Merged(BaseModel):
    """One sentence replacing several memories that say nearly the same, or null."""

    text: Sentence | None
    memories: Annotated[Ids, Field(description="Ids of the memories it stands for")]


class Reason(BaseModel):
    """A reason for a value: a memory, and the event in it."""

    memory: int
    what: Annotated[str, Field(min_length=3, max_length=120, description="A clause in the memory's own words")]


class ReadNarrative(BaseModel):
    """A value of the companion and its reasons; null without a story."""

    value: Annotated[str | None, Field(max_length=100)]
    because: Annotated[list[Reason], Field(max_length=6)]


class ReadTension(BaseModel):
    """A value, and acts against it."""

    value: Annotated[int, Field(description="Id of what is valued")]
    acts: Annotated[Ids, Field(description="Ids of what was done against it")]
    strength: Annotated[float, Field(ge=0, le=1, description="1: they cannot both be meant; 0.5: a strain")]


class Tensions(BaseModel):
    """Acts that contradict values; usually none."""

    tensions: Annotated[list[ReadTension], Field(max_length=10)]


class Line(BaseModel):
    """A memory in one line of at most 120 characters."""

    memory: int
    line: Annotated[str, Field(max_length=400)]


class Lines(BaseModel):
    """Memories rephrased as one line each."""

    lines: Annotated[list[Line], Field(max_length=40)]


class Occasion(BaseModel):
    """The occasion of a statement as a clause, or null when nearby words do not show it."""

    memory: int
    occasion: Annotated[str | None, Field(max_length=400)] = None


class Occasions(BaseModel):
    """The occasion of each memory."""

    occasions: Annotated[list[Occasion], Field(max_length=40)]


class Rejudgement(BaseModel):
    """The verdict on an insight after new evidence.

    `update`: `text` is the new version and `memories` its evidence. `keep_both`: both are true, and
    the contradiction is worth keeping. `withdraw`: nothing of it holds.
    """

    verdict: Literal["update", "keep_both", "withdraw"]
    text: Sentence | None = None
    memories: Ids = []
