"""The typed answer that post-conversation asks for: one reading of a whole session."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

Share = Annotated[float, Field(ge=0, le=1)]
Score = Annotated[int, Field(ge=1, le=5)]

Category = Literal[
    "employment",
    "family",
    "location",
    "addressing",
    "health",
    "preference",
    "plan",
    "relationship",
    "possession",
    "skill",
    "belief",
    "other",
]


class ReadFact(BaseModel):
    """Something the user said about themselves, with the ids of the messages it rests on."""

    text: Annotated[str, Field(min_length=3, max_length=300)]
    subject: Annotated[str, Field(min_length=1, max_length=80)]
    predicate: Annotated[str, Field(min_length=1, max_length=60)]
    object: Annotated[str, Field(min_length=1, max_length=200)]
    category: Category = "other"
    event_time: Annotated[str | None, Field(description="ISO date of what it tells about, when it is named")] = None
    messages: Annotated[list[int], Field(min_length=1, description="Ids of the user's messages that say so")]


class FollowUp(BaseModel):
    """Something worth asking about later."""

    text: Annotated[str, Field(min_length=3, max_length=300)]
    after: Annotated[str | None, Field(description="ISO date before which it makes no sense to ask")] = None
    messages: list[int] = []


class ReadOutcome(BaseModel):
    """What became of something expected: it was so, it was not so, or nobody can tell yet."""

    id: int
    outcome: Literal["hit", "miss", "open"]
    messages: Annotated[list[int], Field(description="Ids of the user's messages that say so")] = []


class SessionReading(BaseModel):
    """What a session was like. Shares lie in [0, 1]; `authentic` and `grounded` judge the companion, 1 to 5."""

    connection_quality: Share
    warmth: Share
    topics: Annotated[list[str], Field(max_length=8)]
    user_state: Annotated[str, Field(max_length=300)]
    summary: Annotated[str, Field(max_length=600)]
    facts: Annotated[list[ReadFact], Field(max_length=30)] = []
    follow_ups: Annotated[list[FollowUp], Field(max_length=5)] = []
    anticipations: Annotated[list[ReadOutcome], Field(max_length=10)] = []
    authentic: Score | None = None
    grounded: Score | None = None
    events: Annotated[
        list[Literal["excitement_triggered", "worry_triggered", "anger_triggered", "pride_triggered"]],
        Field(max_length=4, description="What the session did to the companion, rarely more than one"),
    ] = []
