"""What every provider of language models must be able to do, and in what manner it is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from furoshiki.llm.partial_answer import Hearing
from furoshiki.llm.values import Question


@dataclass(frozen=True)
class Form:
    """The JSON an answer is to have. `strict` when the schema can be enforced as it stands by a provider."""

    name: str
    schema: Mapping[str, Any]
    strict: bool


@dataclass(frozen=True)
class ModelOptions:
    """How a model is to be asked in a tier: extra fields of the request, and tokens left for its thinking."""

    send: Mapping[str, Any] = field(default_factory=dict)
    room: int = 0


class Provider(Protocol):
    """A provider fills a `Hearing` and raises `Failure`; it never retries, never logs a key, never reads a setting."""

    def load(self) -> None:
        """Import and build what is needed to speak; slow the first time, so it is called in a thread. Idempotent.

        Raises Failure("missing") when a package or file is not there.
        """

    async def say(
        self, model: str, question: Question, form: Form | None, manner: ModelOptions, hearing: Hearing
    ) -> None:
        """Ask `model` and fill `hearing` until its `finish` is known. Closes the stream on every way out."""

    async def aclose(self) -> None:
        """Give back connections and memory."""
