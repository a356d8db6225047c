"""The schema of a small model's choice between close modes."""

from pydantic import BaseModel

from furoshiki.owner.routing.values import Mode


class Choice(BaseModel):
    """The way a message is best answered."""

    mode: Mode
