"""The typed answers (unverified) about self-questions. Class docstrings go into the prompt."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field


class FoundAnswer(BaseModel):
    """What memory says to a question: an answer with the memories it rests on, or that it says none."""

    verdict: Annotated[
        Literal["answered", "user", "open"],
        Field(description="answered: the memories say it; user: only the person can; open: neither yet"),
    ]
    answer: Annotated[str | None, Field(max_length=300)] = None
    memories: Annotated[list[int], Field(max_length=20, description="Ids of the memories that say it")] = []
    raises: Annotated[str | None, Field(max_length=200, description="One further question, rarely")] = None


class WhoKnows(BaseModel):
    """Who can answer a question."""

    who: Annotated[
        Literal["self", "user", "unsure"],
        Field(description="self: memory can tell; user: only the person can; unsure: one cannot say"),
    ]


class Exploration(BaseModel):
    """What the companion's own memories and documents say to what it is curious about."""

    verdict: Annotated[
        Literal["answered", "user", "open"],
        Field(description="answered: what is shown says it; user: only the person can; open: neither yet"),
    ]
    answer: Annotated[str | None, Field(max_length=300)] = None
    cites: Annotated[
        list[Annotated[str, Field(max_length=40)]],
        Field(max_length=20, description='Ids it rests on, such as "memory:3" or "design:12"'),
    ] = []
    raises: Annotated[str | None, Field(max_length=200, description="One further question, rarely")] = None
