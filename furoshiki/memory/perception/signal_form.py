"""The schema of a model's answer to a second look at a message."""

from typing import Annotated

from pydantic import BaseModel, Field

from furoshiki.language.lexicon import Feeling
from furoshiki.models.llm.fields import Share


class ReadSignal(BaseModel):
    """One feeling in a message, and how strong it is."""

    category: Feeling
    strength: Share


class ReadSignals(BaseModel):
    """What the writer of a message feels; empty when the words carry nothing."""

    signals: Annotated[list[ReadSignal], Field(max_length=4)]
