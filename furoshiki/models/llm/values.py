"""What is asked of a language model and what comes back, in values that belong to no provider.

A `Question` puts its stable part first (`system`, then the conversation) and marks where a cached prefix may end, so
that a provider can be paid once for what does not change. The last user message carries everything that changes.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Tier = Literal["chat", "deep", "reflect", "fast", "micro"]
TIERS: tuple[Tier, ...] = ("chat", "deep", "reflect", "fast", "micro")

Finish = Literal["stop", "tools", "length", "refused", "broken"]
"""How an answer ended; "broken" when its stream was cut midway, and what had come by then is all there is."""

Standing = Literal["free", "soft", "hard", "ceiling"]
"""How the money spent today stands against the owner's limits: below both, past the soft one, past the hard one."""


@dataclass(frozen=True)
class Block:
    """A piece of the system prompt; `cache` marks the end of a prefix worth caching."""

    text: str
    cache: bool = False


@dataclass(frozen=True)
class Image:
    """A picture shown to a model that can see: raw bytes and their media type ("image/jpeg")."""

    data: bytes
    media_type: str


@dataclass(frozen=True)
class ToolCall:
    """A skill the model wants run. `id` is the provider's name for the call, `beside` what it wants back with it."""

    id: str
    name: str
    args: Mapping[str, Any]
    beside: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Native:
    """An answer in its provider's own form (thinking it must see again, the order of its parts).

    Handed back as it is in the next round of a tool loop; any other provider or model ignores it and reads the
    message's text and calls instead.
    """

    provider: str
    model: str
    content: Any = field(repr=False)


@dataclass(frozen=True)
class Message:
    """One message of the conversation shown to the model.

    role "tool" answers the call named by `call_id`; an assistant message may carry `calls`, and the `native` form of
    the answer it repeats.
    """

    role: Literal["user", "assistant", "tool"]
    text: str = ""
    images: tuple[Image, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    call_id: str | None = None
    cache: bool = False
    native: Native | None = None


@dataclass(frozen=True)
class Tool:
    """A skill offered to the model; `schema` is the JSON Schema of its arguments."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True)
class Question:
    """One request to a tier.

    `answer` is a pydantic model class when a typed answer is wanted, else None for prose. `situation` gathers what the
    reflex mind answers from, when its turn comes (it reads values, not prompts); `material` is what a structured
    purpose is about, for the same reader. `turn_key` ties the call's cost to a turn ("inbox:17") or a run ("run:42").
    `given_up` is what failed in an earlier round of the same turn: the reflex mind, which took over then, goes on, and
    nobody else is asked. `batch_s` is for how many seconds nobody waits for the answer: so long it may come in a batch,
    at half the price, where that is switched on. `logprobs` asks how probable its words were, where the provider tells.
    `plain` says that JSON in the answer is to be put into words: a tool of somebody else's has answered.
    """

    tier: Tier
    purpose: str
    system: tuple[Block, ...]
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    answer: type[Any] | None = None
    max_tokens: int = 1024
    timeout_s: float = 60.0
    situation: Callable[[], object] | None = None
    material: object | None = None
    turn_key: str | None = None
    cache_ttl: Literal["5m", "1h"] = "5m"
    given_up: tuple[str, ...] = ()
    batch_s: float = 0.0
    logprobs: bool = False
    plain: bool = False


@dataclass(frozen=True)
class Usage:
    """Tokens of one call. `input` counts everything sent, cached or not; `cached` is the part read from a cache."""

    input: int = 0
    cached: int = 0
    cache_written: int = 0
    output: int = 0

    def within(self, most_input: int, most_output: int) -> Usage:
        """The same, no figure above what the call can have taken: providers have been known to report anything."""
        return Usage(
            input=min(self.input, most_input),
            cached=min(self.cached, most_input),
            cache_written=min(self.cache_written, most_input),
            output=min(self.output, most_output),
        )


@dataclass(frozen=True)
class Answer:
    """What a model said. `parsed` holds the typed answer when one was asked for.

    `tier` is the tier that really answered; `fallbacks` names, in order, the providers that failed before
    ("anthropic:claude-x: 529 overloaded"), so that the caller can say so. `usage` and `cost_usd` count everything
    spent on the question, failed tries included. `standing` says how the day's budget stood when it was asked.
    `logprob` is the mean log-probability of the answer's tokens, where the provider tells; `thought` whether thoughts
    came before it.
    """

    text: str
    finish: Finish
    provider: str
    model: str
    tier: Tier
    calls: tuple[ToolCall, ...] = ()
    parsed: Any = None
    usage: Usage = field(default_factory=Usage)
    cost_usd: float = 0.0
    latency_s: float = 0.0
    fallbacks: tuple[str, ...] = ()
    standing: Standing = "free"
    native: Native | None = None
    logprob: float | None = None
    thought: bool = False


class Ask(Protocol):
    """The way to the language models (`furoshiki.models.llm.gateway.Gateway.ask`)."""

    async def __call__(self, question: Question, on_text: Callable[[str], Awaitable[None]] | None = None) -> Answer:
        """Ask a tier; `on_text` is told the whole text so far while it grows."""
        ...


@dataclass(frozen=True)
class CallRecord:
    """One line of the cost ledger: a finished or failed call. `error` is None when it succeeded.

    `cache_miss` is the provider's own word for why a cached prefix was not used ("system_changed"), where it tells.
    `price_named` says that the server named `cost_usd`; `price_guessed` that nobody knows what the model costs, so that
    `cost_usd` is a cautious guess. `batch` is the hash of a question that was answered in a batch, at the price of one.
    """

    tier: Tier
    provider: str
    model: str
    purpose: str
    usage: Usage
    cost_usd: float
    latency_s: float
    turn_key: str | None = None
    error: str | None = None
    cache_miss: str | None = None
    price_named: bool = False
    price_guessed: bool = False
    batch: str | None = None


@dataclass(frozen=True)
class Cell:
    """The calls of a day (UTC, "2026-03-24") for one purpose of one model on one tier: how many, of them failed and in
    batches, tokens in, of them from a cache, tokens out, and US dollars."""

    day: str
    purpose: str
    tier: str
    model: str
    calls: int
    failed: int
    in_batches: int
    tokens_in: int
    tokens_cached: int
    tokens_out: int
    usd: float
