"""The typed answer of the model that revises a draft. The class docstring goes into the prompt."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field


class Polished(BaseModel):
    """Whether it is sent, in which words, what must be looked up first, and why."""

    send: bool
    text: Annotated[str, Field(max_length=4000)]
    search: Annotated[str | None, Field(max_length=300)]
    why: Annotated[str, Field(max_length=300)]
