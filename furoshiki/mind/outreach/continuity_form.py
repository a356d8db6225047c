"""The model's typed answer about one more line. The class docstring goes into the prompt."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field


class OneLineMore(BaseModel):
    """What is added to a conversation that has gone quiet, mostly nothing."""

    line: Annotated[
        str | None, Field(max_length=400, description="what you would still say, in a sentence or two; mostly null")
    ] = None
