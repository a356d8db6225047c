"""The interface of all language model providers, and the options of a call."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from furoshiki.models.llm.partial_answer import Hearing
from furoshiki.models.llm.values import Question

MOST_TOKENS = 1_000_000  # more tokens than any model writes or reads at once


@dataclass(frozen=True)
class Form:
    """The JSON format of an answer. `strict`: providers can enforce the schema as it is."""

    name: str
    schema: Mapping[str, Any]
    strict: bool

    @property
    def in_words(self) -> str:
        """The instruction for a model without schema support."""
        schema = json.dumps(self.schema, separators=(",", ":"), ensure_ascii=False)
        return f"Answer with one JSON object of this schema only: {schema}"


@dataclass(frozen=True)
class ModelOptions:
    """How a model is called in a tier: extra request fields, tokens for thinking, and learned
    restrictions (see `furoshiki.models.llm.rules.refusals`)."""

    send: Mapping[str, Any] = field(default_factory=dict)
    room: int = 0
    quirks: Mapping[str, int] = field(default_factory=dict)

    def heeding(self, quirks: Mapping[str, int]) -> "ModelOptions":
        """Return the options adapted to these restrictions."""
        sent = {name: value for name, value in self.send.items() if name not in quirks}
        return ModelOptions(sent, max(self.room, quirks.get("room", 0)), quirks)

    def limit(self, question: Question) -> int:
        """Return the maximum tokens of an answer, thinking included."""
        most = self.quirks.get("most_tokens", MOST_TOKENS)
        window = self.quirks.get("window", MOST_TOKENS)
        return min(question.max_tokens + self.room, most, window // 2)


class Provider(Protocol):
    """A provider fills a `Hearing` or raises `Failure`: no retries, key logging or settings."""

    def load(self) -> None:
        """Import and build the client; slow the first time, so call it in a thread. Idempotent.

        Raises Failure("missing") when a package or file is missing.
        """

    async def say(
        self, model: str, question: Question, form: Form | None, manner: ModelOptions, hearing: Hearing
    ) -> None:
        """Ask `model` and fill `hearing` until `finish` is set. Always closes the stream."""

    async def aclose(self) -> None:
        """Close connections and free memory."""
