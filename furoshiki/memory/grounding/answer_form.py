"""The schema of a model's answer that checks statements against the cited lines."""

from typing import Annotated

from pydantic import BaseModel, Field, OnErrorOmit

from furoshiki.memory.grounding.rules.statement import Reading
from furoshiki.models.llm.fields import Id


class ReadStatement(BaseModel):
    """What a reader says of one statement."""

    id: Id
    answer: Reading


class ReadStatements(BaseModel):
    """What a reader says of each statement."""

    answers: Annotated[list[OnErrorOmit[ReadStatement]], Field(description="One for every id")]
