"""The typed answers (unverified) of consolidation. Class docstrings go into the prompt."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

Ids = Annotated[list[int], Field(max_length=60)]
Sentence = Annotated[str, Field(min_length=8, max_length=300)]


class SalientQuestions(BaseModel):
    """What is worth asking of the newest memories."""

    questions: Annotated[list[Annotated[str, Field(min_length=8, max_length=200)]], Field(max_length=6)]


class ReadInsight(BaseModel):
    """One insight with the ids of the memories it follows from."""

    text: Sentence
    memories: Annotated[Ids, Field(description="Ids of the memories it follows from, two at least")]


class Insights(BaseModel):
    """What follows from the memories, the surest first."""

    insights: Annotated[list[ReadInsight], Field(max_length=12)]


class Merged(BaseModel):
    """One sentence in the place of several memories that say nearly the same; null when they do not."""

    text: Sentence | None
    memories: Annotated[Ids, Field(description="Ids of the memories it stands for")]


class Reason(BaseModel):
    """Why something came to be valued: a memory, and what happened in it."""

    memory: int
    what: Annotated[str, Field(min_length=3, max_length=120, description="A clause in the memory's own words")]


class ReadNarrative(BaseModel):
    """What the companion came to value, and because of what; value is null when there is no such story."""

    value: Annotated[str | None, Field(max_length=100)]
    because: Annotated[list[Reason], Field(max_length=6)]


class ReadTension(BaseModel):
    """Something valued, and what was done against it."""

    value: Annotated[int, Field(description="Id of what is valued")]
    acts: Annotated[Ids, Field(description="Ids of what was done against it")]
    strength: Annotated[float, Field(ge=0, le=1, description="1: they cannot both be meant; 0.5: a strain")]


class Tensions(BaseModel):
    """Where what was done speaks against what is valued; most often there is nothing."""

    tensions: Annotated[list[ReadTension], Field(max_length=10)]


class Line(BaseModel):
    """One memory in one line of at most 120 characters."""

    memory: int
    line: Annotated[str, Field(max_length=400)]


class Lines(BaseModel):
    """Memories put in new words, each in one line."""

    lines: Annotated[list[Line], Field(max_length=40)]


class Rejudgement(BaseModel):
    """What becomes of an insight now that there is new evidence.

    `update`: `text` says what holds now and `memories` name what it follows from. `keep_both`: both are true, and the
    contradiction between them is worth keeping. `withdraw`: nothing of it holds.
    """

    verdict: Literal["update", "keep_both", "withdraw"]
    text: Sentence | None = None
    memories: Ids = []
