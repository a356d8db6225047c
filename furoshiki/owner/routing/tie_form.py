"""The typed answer of a small model that is asked which of two close modes is meant."""

from __future__ import annotations

from pydantic import BaseModel

from furoshiki.owner.routing.values import Mode


class Choice(BaseModel):
    """The way a message is best answered."""

    mode: Mode
