"""The typed judgement of a draft. The class docstring goes into the prompt."""

from pydantic import BaseModel, Field


class Weighed(BaseModel):
    """A slow judgement of a draft."""

    holds: bool = Field(description="Whether the draft may go out as it is")
    answer: str = Field("", description="The draft as it should be sent; empty when it holds")
    explanation: str = Field("", description="To them: what is put right, in one or two sentences")
    correction: str = Field(
        "", description="To the writer of the draft: what to remember for the next time, in one sentence"
    )
