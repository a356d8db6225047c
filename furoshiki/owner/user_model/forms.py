"""The schemas of a model's answers: the user's style preferences, and whether a person is in danger."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from furoshiki.models.llm.fields import Ten


class ReadStyle(BaseModel):
    """How the user likes to be talked with, each from 1 to 10; None where the session does not show it."""

    abstraction_level: Annotated[Ten | None, Field(description="1 concrete cases … 10 ideas and principles")] = None
    certainty_level: Annotated[Ten | None, Field(description="1 doubts laid open … 10 a clear verdict")] = None
    challenge_appetite: Annotated[Ten | None, Field(description="1 wants backing … 10 enjoys dispute")] = None
    depth_preference: Annotated[Ten | None, Field(description="1 the short of it … 10 all the way down")] = None


class ReadDanger(BaseModel):
    """Which danger the words of a message mean; "none" where nobody is in any."""

    danger: Literal["none", "self", "friend", "violence", "harm", "emergency"]
