"""The form in which a model says whether a message asks for a change."""

from pydantic import BaseModel


class ReadRequest(BaseModel):
    """Whether the words of a message ask for exactly this change."""

    asked: bool
