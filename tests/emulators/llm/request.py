"""A request to a model, the same for every API it may have come through."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Api = Literal["anthropic", "chat", "responses"]
_MESSAGE = re.compile(r"<message\b[^>]*>(.*?)</message\s*>", re.DOTALL)


@dataclass(frozen=True)
class Turn:
    """One message of the conversation."""

    role: str
    """user, assistant or tool (an answer of a tool; Anthropic's tool_result blocks become such turns)."""
    text: str = ""
    calls: Sequence[tuple[str, dict[str, Any]]] = ()
    """(name, arguments) of tools the assistant called."""
    images: int = 0


@dataclass
class Request:
    """What was asked. `outcome` and the tokens of the answer are filled in as it is answered."""

    api: Api
    model: str
    system: str
    turns: list[Turn]
    tools: dict[str, dict[str, Any]]
    """Name → JSON schema of the arguments."""
    schema: dict[str, Any] | None
    """The JSON schema the answer shall have, if one was asked for."""
    stream: bool
    max_tokens: int
    body: dict[str, Any]
    """The request as it came."""
    at: float = 0.0
    key: str = ""
    input_tokens: int = 0
    """All of the prompt: cached, newly cached and fresh."""
    cached_tokens: int = 0
    written_tokens: int = 0
    output_tokens: int = 0
    outcome: str = ""
    """"answered", "cancelled" (the client hung up before the end) or the fault."""
    extra: dict[str, Any] = field(default_factory=dict)
    """Notes of the API's own, such as why the cache was missed."""

    @property
    def text(self) -> str:
        """The text of the last turn a person wrote."""
        return next((turn.text for turn in reversed(self.turns) if turn.role == "user" and turn.text.strip()), "")

    @property
    def words(self) -> str:
        """The newest words of the person, without what the companion wraps around them.

        The inner texts of all <message> elements of the last user turn that has any, joined by " | "; else `text`.
        """
        for turn in reversed(self.turns):
            found = _MESSAGE.findall(turn.text) if turn.role == "user" else []
            if found:
                return " | ".join(_unescaped(inner.strip()) for inner in found)
        return self.text.strip()

    @property
    def prompt(self) -> str:
        """System text and all turns as one text, for searching."""
        return "\n\n".join([self.system, *(turn.text for turn in self.turns)])

    @property
    def cached_share(self) -> float:
        """The part of the prompt that was read from the cache, 0 to 1."""
        return self.cached_tokens / self.input_tokens if self.input_tokens else 0.0


def _unescaped(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&amp;", "&")
