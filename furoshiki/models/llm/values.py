"""Questions to language models and their answers, independent of a provider.

A `Question` has its stable part first (`system`, then the conversation) and marks where a cached
prefix may end, so that stable text is paid for once. The last user message holds everything that
changes.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Tier = Literal["chat", "deep", "reflect", "fast", "micro"]
TIERS: tuple[Tier, ...] = ("chat", "deep", "reflect", "fast", "micro")

# how an answer ended; "broken": the stream was interrupted, and the text is incomplete
Finish = Literal["stop", "tools", "length", "refused", "broken"]

# today's spending: below both limits, above the soft one, the hard one, or the operator's
Standing = Literal["free", "soft", "hard", "ceiling"]


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
    """A requested skill. `id` is the provider's call id; `beside` is sent back with the call."""

    id: str
    name: str
    args: Mapping[str, Any]
    beside: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Native:
    """An answer in its provider's own format (with thinking that must be sent back, in order).

    It is sent back unchanged in the next round of a tool loop; other providers and models ignore it
    and use the message's text and calls.
    """

    provider: str
    model: str
    content: Any = field(repr=False)


@dataclass(frozen=True)
class Message:
    """One message of the conversation shown to the model.

    A message with role "tool" answers the call `call_id`; an assistant message may have `calls`,
    and the `native` format of the answer.
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

    `answer` is a pydantic model class for a typed answer, or None for text. `situation` and
    `material` are input for the built-in mind, which reads values, not prompts. `turn_key` assigns
    the cost to a turn ("inbox:17") or a run ("run:42"). `given_up` lists failures of an earlier
    round of this turn: the built-in mind continues, and no model is asked. `batch_s` is how many
    seconds the answer may take in a batch, at half the price, if batches are on. `logprobs`
    requests token probabilities, if available. `plain`: put JSON in the answer into words, as a
    foreign tool was used. `may_be_silent`: an empty answer is no failure, as calls went before.
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
    may_be_silent: bool = False

    @classmethod
    def of(
        cls,
        tier: Tier,
        purpose: str,
        system: str,
        matter: str,
        answer: type[Any] | None = None,
        *,
        max_tokens: int,
        timeout_s: float = 60.0,
        turn_key: str | None = None,
    ) -> "Question":
        """Build a question of one cached piece of system prompt and one message."""
        blocks, messages = (Block(system, True),), (Message("user", matter),)
        return cls(tier, purpose, blocks, messages, (), answer, max_tokens, timeout_s, turn_key=turn_key)


@dataclass(frozen=True)
class Usage:
    """Tokens of one call. `input` is all input; `cached` is its part read from a cache."""

    input: int = 0
    cached: int = 0
    cache_written: int = 0
    output: int = 0

    def within(self, most_input: int, most_output: int) -> "Usage":
        """Limit each figure to a plausible maximum: some providers report wrong ones."""
        return Usage(
            input=min(self.input, most_input),
            cached=min(self.cached, most_input),
            cache_written=min(self.cache_written, most_input),
            output=min(self.output, most_output),
        )


@dataclass(frozen=True)
class Answer:
    """A model's answer. `parsed` holds the typed answer if one was requested.

    `tier` is the tier that answered; `fallbacks` are the failures before it ("anthropic:claude-x:
    529 overloaded"). `usage` and `cost_usd` include failed attempts. `standing` is the state of the
    day's budget. `logprob` is the mean log-probability of the tokens, if reported; `thought`: the
    model thought first.
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
    """Access to the language models (`furoshiki.models.llm.gateway.Gateway.ask`)."""

    async def __call__(self, question: Question, on_text: Callable[[str], Awaitable[None]] | None = None) -> Answer:
        """Ask a tier; `on_text` gets the whole text so far while it grows."""


@dataclass(frozen=True)
class CallRecord:
    """One record of the cost ledger: a finished or failed call. `error` is None on success.

    `cache_miss` is the provider's reason for a cache miss ("system_changed"), if reported.
    `price_named`: the server reported `cost_usd`; `price_guessed`: it is an estimate. `batch` is
    the hash of a question answered in a batch.
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
