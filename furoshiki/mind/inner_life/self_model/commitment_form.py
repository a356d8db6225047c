"""The typed answers (unverified) about commitments. Class docstrings go into the prompt."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field, OnErrorOmit

from furoshiki.models.llm.fields import Id


class FoundPromise(BaseModel):
    """What the companion may promise itself, or that nothing can be promised."""

    verdict: Annotated[
        Literal["commitment", "none"],
        Field(description="none: it is not about the companion's conduct, or nobody could see whether it was kept"),
    ]
    text: Annotated[str, Field(max_length=120, description="What to do, as an order, in at most 12 words")] = ""
    sign: Annotated[
        str, Field(max_length=240, description="How one sees in a conversation that it was honoured or broken")
    ] = ""


class ReadVerdict(BaseModel):
    """Whether the companion kept a commitment in this session; "none" when there was no occasion."""

    id: Id
    verdict: Literal["honoured", "broken", "none"]
    messages: Annotated[list[Id], Field(description="Ids of the companion's messages that show it")] = []


class PlacedQuestion(BaseModel):
    """Where one new question belongs."""

    id: Id
    conduct: Annotated[bool, Field(description="whether it is about what the companion itself does in conversations")]
    like: Annotated[
        Id | None,
        Field(description="Id of an earlier question about the same tendency; null when there is none"),
    ] = None


class PlacedQuestions(BaseModel):
    """All of them."""

    questions: list[OnErrorOmit[PlacedQuestion]]
