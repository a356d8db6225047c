"""The typed answers of the model that adds one more line, and that revises a draft. The class
docstrings go into the prompt."""

from typing import Annotated

from pydantic import BaseModel, Field


class OneLineMore(BaseModel):
    """What is added to a conversation that has gone quiet, mostly nothing."""

    line: Annotated[
        str | None, Field(max_length=400, description="what you would still say, in a sentence or two; mostly null")
    ] = None


class Polished(BaseModel):
    """Whether it is sent, in which words, what must be looked up first, and why."""

    send: bool
    text: Annotated[str, Field(max_length=4000)]
    search: Annotated[str | None, Field(max_length=300)]
    why: Annotated[str, Field(max_length=300)]
    another_day: Annotated[bool, Field(description="When it is not sent: it is only too early")] = False
