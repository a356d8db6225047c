"""The typed answer of the model that revises a draft."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field


class Polished(BaseModel):
    """Whether to send the draft, its wording, a search needed first, and the reason."""

    send: bool
    text: Annotated[str, Field(max_length=4000)]
    search: Annotated[str | None, Field(max_length=300)]
    why: Annotated[str, Field(max_length=300)]
