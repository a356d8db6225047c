"""What every provider of language models must be able to do, and in what manner it is asked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from furoshiki.models.llm.partial_answer import Hearing
from furoshiki.models.llm.values import Question

MOST_TOKENS = 1_000_000
"""More than any model writes or reads at once."""


@dataclass(frozen=True)
class Form:
    """The JSON an answer is to have. `strict` when the schema can be enforced as it stands by a provider."""

    name: str
    schema: Mapping[str, Any]
    strict: bool

    @property
    def in_words(self) -> str:
        """What is asked of a model that takes no schema."""
        schema = json.dumps(self.schema, separators=(",", ":"), ensure_ascii=False)
        return f"Answer with one JSON object of this schema only: {schema}"


@dataclass(frozen=True)
class ModelOptions:
    """How a model is to be asked in a tier: extra fields of the request, tokens left for its thinking, and what it was
    found to do without (see `furoshiki.models.llm.rules.refusals`)."""

    send: Mapping[str, Any] = field(default_factory=dict)
    room: int = 0
    quirks: Mapping[str, int] = field(default_factory=dict)

    def heeding(self, quirks: Mapping[str, int]) -> ModelOptions:
        """The same for a model of these quirks."""
        sent = {name: value for name, value in self.send.items() if name not in quirks}
        return ModelOptions(sent, max(self.room, quirks.get("room", 0)), quirks)

    def limit(self, question: Question) -> int:
        """How many tokens an answer may have, thoughts included."""
        most = self.quirks.get("most_tokens", MOST_TOKENS)
        window = self.quirks.get("window", MOST_TOKENS)
        return min(question.max_tokens + self.room, most, window // 2)


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
