"""Everybody whose language models can be asked, a row each: what is theirs alone is said here and nowhere else.

Settings, plans, the gateway, prices, set-up, checks and the docs are made from these rows. What a model refuses beyond
what stands here is learned from its refusals (`furoshiki.models.llm.rules.refusals`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit

from furoshiki.core.catalogue import later

Door = Literal["anthropic", "openai", "file"]
"""How a provider is spoken to: Anthropic's messages, OpenAI's chat completions, or a model file in this process."""

TALK = ("chat", "fast", "micro")
"""The tiers in which an answer is waited for, so that little or nothing is thought before it."""


@dataclass(frozen=True)
class Asked:
    """How the models of a pattern are asked in some tiers (all, when none is named).

    `send` are extra fields of the request, by which the effort of thinking is set; `room` are the tokens added to the
    limit of an answer, because thoughts count against it.
    """

    models: str = "*"
    tiers: tuple[str, ...] = ()
    send: Mapping[str, Any] = field(default_factory=dict)
    room: int = 0


@dataclass(frozen=True)
class Suggested:
    """A model worth fetching for a machine with so much memory. `measure` says how well others found it to do, who they
    are, and when: nobody here has measured it."""

    model: str
    memory_gb: int
    size_gb: float
    measure: str


@dataclass(frozen=True)
class ByPiece:
    """A model that is paid by the piece: a picture it paints, or a minute of speech it hears, at about `usd` each.

    `send` are the fields of a request beyond the model and what is wanted; what a server refuses of them is left out.
    `in_chat` says that it is asked as one that talks is, and answers with pictures beside its words.
    """

    model: str = ""
    usd: float = 0.0
    send: Mapping[str, Any] = field(default_factory=dict)
    in_chat: bool = False


@dataclass(frozen=True)
class ProviderSpec:
    """A provider. `name` stands before the colon of a model, and begins the names of its settings.

    `address` is where it answers unless its setting names another place; empty when only the owner can know. `keys_at`
    is where a key is made: empty when none is needed; `key_shape` is the pattern of its keys, empty where they have no
    sign of their own. `models` are proposed for the tiers, those left out use the next;
    with `by_key` they answer as soon as the key is set. `prices` is its name in genai-prices, empty when it is not
    there. `lacks` are optional fields it is known to refuse (names as in `furoshiki.models.llm.rules.refusals`);
    `its_own` is what only it has, where no other address is set: fields of a request, "batches", and
    "tools_unthought" when its models take tools only without thinking before. `asked` says how its models are asked,
    the first match counts. `wider` is how its owner has it read more at once; `suggested` are models it can fetch.
    `paints` is what draws there, `hears` what turns speech into text; without a model one has to be named, None where
    there is none.
    """

    name: str
    title: str
    about: str
    door: Door = "openai"
    address: str = ""
    keys_at: str = ""
    key_shape: str = ""
    models: Mapping[str, str] = field(default_factory=dict)
    by_key: bool = False
    prices: str = ""
    lacks: frozenset[str] = frozenset()
    its_own: frozenset[str] = frozenset()
    asked: tuple[Asked, ...] = ()
    wider: str = ""
    suggested: tuple[Suggested, ...] = ()
    paints: ByPiece | None = None
    hears: ByPiece | None = None

    @property
    def key_setting(self) -> str:
        """The setting with its key."""
        return f"{self.name.upper()}_API_KEY"

    @property
    def address_setting(self) -> str:
        """The setting with another address."""
        return f"{self.name.upper()}_BASE_URL"

    @property
    def by_net(self) -> bool:
        """Whether it is asked over a connection, which a model file is not."""
        return self.door != "file"

    @property
    def here(self) -> bool:
        """Whether it answers on this machine."""
        return not self.by_net or urlsplit(self.address).hostname == "127.0.0.1"

    def answers_at(self, values: Mapping[str, str | None]) -> str:
        """Return its address by the settings' `values`, without a final slash; "" without one."""
        return (values.get(self.address_setting) or self.address).rstrip("/")

    def can_be_asked(self, values: Mapping[str, str | None]) -> bool:
        """Whether the settings' `values` say enough to ask it."""
        if self.keys_at:
            return bool(values.get(self.key_setting) or values.get(self.address_setting))
        return not self.by_net or bool(self.answers_at(values))

    def list_of_models(self, address: str) -> str:
        """Where a server lists its models, for nothing."""
        return f"{address.removesuffix('/v1')}/v1/models" if self.door == "anthropic" else f"{address}/models"

    def headers(self, key: str | None) -> dict[str, str]:
        """The head of a plain request."""
        if self.door == "anthropic":
            return {"x-api-key": key or "", "anthropic-version": "2023-06-01"}
        return {"Authorization": f"Bearer {key}"} if key else {}


def _tiers(talk: str, small: str) -> Mapping[str, str]:
    return {"chat": talk, "deep": talk, "reflect": talk, "fast": small, "micro": small}


_PICTURE = {"size": "1024x1024", "response_format": "b64_json"}
"""How a picture is asked for where nothing else is known."""

_TEMPLATE_SWITCH = {"chat_template_kwargs": {"enable_thinking": False}}

PROVIDERS: tuple[ProviderSpec, ...] = (
    ProviderSpec(
        "anthropic",
        "Anthropic",
        later("Claude, with a key"),
        door="anthropic",
        address="https://api.anthropic.com",
        keys_at="https://console.anthropic.com/settings/keys",
        key_shape=r"sk-ant-[\w-]{20,}",
        models=_tiers("claude-sonnet-5-5", "claude-haiku-5-5"),
        by_key=True,
        prices="anthropic",
        its_own=frozenset({"batches"}),
        asked=(
            Asked(
                "claude-sonnet-5-5*",
                TALK,
                {"thinking": {"type": "between_tools"}, "output_config": {"effort": "low"}},
            ),
            Asked("claude-haiku-5-5*", TALK, {"thinking": {"type": "disabled"}}),
            Asked("claude-*-5*", (), {"output_config": {"effort": "low"}}, 4000),
        ),
    ),
    ProviderSpec(
        "openai",
        "OpenAI",
        later("GPT, with a key"),
        address="https://api.openai.com/v1",
        keys_at="https://platform.openai.com/api-keys",
        key_shape=r"sk-(?:proj|svcacct|admin)-[\w-]{20,}|sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}",
        models=_tiers("gpt-6.1-terra", "gpt-6-luna"),
        by_key=True,
        prices="openai",
        its_own=frozenset({"batches", "max_completion_tokens", "prompt_cache_key", "tools_unthought"}),
        asked=(
            Asked("gpt-6*", TALK, {"reasoning_effort": "none"}),
            Asked("gpt-6*", (), {"reasoning_effort": "low"}, 4000),
        ),
        paints=ByPiece("gpt-image-2", 0.07, {"size": "1024x1024", "quality": "medium", "output_format": "jpeg"}),
        hears=ByPiece("gpt-transcribe", 0.0045),
    ),
    ProviderSpec(
        "gemini",
        "Google",
        later("Gemini, with a key"),
        address="https://generativelanguage.googleapis.com/v1beta/openai",
        keys_at="https://aistudio.google.com/apikey",
        key_shape=r"AIza[\w-]{35}|AQ\.[\w-]{30,}",
        models=_tiers("gemini-3.8-flash", "gemini-3.5-flash-lite"),
        prices="google",
        asked=(  # of these models none can be kept from thinking altogether
            Asked("gemini-*", TALK, {"reasoning_effort": "low"}, 1000),
            Asked("gemini-*", (), {"reasoning_effort": "low"}, 4000),
        ),
        paints=ByPiece("gemini-3.1-flash-image-preview", 0.067, {"response_format": "b64_json"}),
    ),
    ProviderSpec(
        "mistral",
        "Mistral",
        later("Mistral's models, with a key"),
        address="https://api.mistral.ai/v1",
        keys_at="https://console.mistral.ai/api-keys",
        models=_tiers("mistral-medium-latest", "mistral-small-latest"),
        prices="mistral",
        # it refuses every field that it does not know ("Extra inputs are not permitted")
        lacks=frozenset({"stream_options", "max_completion_tokens", "logprobs"}),
        hears=ByPiece("voxtral-mini-latest", 0.003),
    ),
    ProviderSpec(
        "deepseek",
        "DeepSeek",
        later("DeepSeek's models, with a key"),
        address="https://api.deepseek.com/v1",
        keys_at="https://platform.deepseek.com/api_keys",
        key_shape=r"sk-[0-9a-f]{32}",
        models=_tiers("deepseek-v4-pro", "deepseek-v4-flash"),
        prices="deepseek",
        lacks=frozenset({"json_schema"}),
        asked=(
            Asked("deepseek-v4*", TALK, {"thinking": {"type": "disabled"}}),
            Asked("deepseek-v4*", (), {"reasoning_effort": "low"}, 4000),
        ),
    ),
    ProviderSpec(
        "groq",
        "Groq",
        later("open models, fast, with a key"),
        address="https://api.groq.com/openai/v1",
        keys_at="https://console.groq.com/keys",
        key_shape=r"gsk_\w{40,}",
        models=_tiers("openai/gpt-oss-120b", "openai/gpt-oss-20b"),
        prices="groq",
        lacks=frozenset({"logprobs"}),
        asked=(
            Asked("*gpt-oss*", TALK, {"reasoning_effort": "low"}, 1000),
            Asked("*gpt-oss*", (), {"reasoning_effort": "low"}, 4000),
        ),
        hears=ByPiece("whisper-large-v3-turbo", 0.00067),
    ),
    ProviderSpec(
        "xai",
        "xAI",
        later("Grok, with a key"),
        address="https://api.x.ai/v1",
        keys_at="https://console.x.ai",
        key_shape=r"xai-\w{40,}",
        models=_tiers("grok-4.6", "grok-4.3"),
        prices="x-ai",
        asked=(
            Asked("grok-4.3*", TALK, {"reasoning_effort": "none"}),
            Asked("grok-4.[3-9]*", TALK, {"reasoning_effort": "low"}, 1000),
            Asked("grok-4*", (), {"reasoning_effort": "low"}, 4000),
        ),
        paints=ByPiece("grok-imagine-image", 0.02, {"response_format": "b64_json"}),
    ),
    ProviderSpec(
        "openrouter",
        "OpenRouter",
        later("many models with one key"),
        address="https://openrouter.ai/api/v1",
        keys_at="https://openrouter.ai/keys",
        key_shape=r"sk-or-[\w-]{20,}",
        models=_tiers("anthropic/claude-sonnet-5.5", "anthropic/claude-haiku-5.5"),
        prices="openrouter",
        paints=ByPiece("google/gemini-3.1-flash-image-preview", 0.067, in_chat=True),
    ),
    ProviderSpec(
        "ollama",
        "Ollama",
        "on this machine: free, and nothing leaves it",
        address="http://127.0.0.1:11434/v1",
        asked=(
            Asked("gpt-oss*", TALK, {"reasoning_effort": "low"}, 1000),
            Asked(tiers=TALK, send={"reasoning_effort": "none"}),
        ),
        wider=later("start it with OLLAMA_CONTEXT_LENGTH=16384 in its environment"),
        suggested=(
            Suggested("qwen3.5:4b", 8, 3.4, "39 of 40 calls of tools right, jdhodges.com, March 2026"),
            Suggested("qwen3.5:9b", 16, 6.6, "66.1 of 100 in BFCL V4 (tools), intelligibberish.com, March 2026"),
            Suggested("gemma4:26b", 32, 18.0, "95 % over five kinds of work, 20 of 25 tools, thefocus.ai, 2026"),
        ),
    ),
    ProviderSpec(
        "llamacpp",
        "llama.cpp",
        "its server, on this machine",
        address="http://127.0.0.1:8080/v1",
        asked=(Asked(tiers=TALK, send=_TEMPLATE_SWITCH),),
        wider=later("start it with -c 16384"),
    ),
    ProviderSpec(
        "lmstudio",
        "LM Studio",
        "its server, on this machine",
        address="http://127.0.0.1:1234/v1",
        lacks=frozenset({"json_object"}),
        wider=later("load the model with a Context Length of 16384"),
    ),
    ProviderSpec(
        "vllm",
        "vLLM",
        "its server, on this machine",
        address="http://127.0.0.1:8000/v1",
        asked=(Asked(tiers=TALK, send=_TEMPLATE_SWITCH),),
        wider=later("start it with --max-model-len 16384"),
    ),
    ProviderSpec(
        "litellm",
        "LiteLLM",
        "its proxy, on this machine",
        address="http://127.0.0.1:4000/v1",
        prices="openai",
        paints=ByPiece(send=_PICTURE),
        hears=ByPiece(),
    ),
    ProviderSpec(
        "compatible",
        "a server of yours",
        later("another server that speaks OpenAI's interface"),
        prices="openai",
        paints=ByPiece(send=_PICTURE),
        hears=ByPiece(),
    ),
    ProviderSpec(
        "local", "a model file", later("a model file on this machine (needs requirements/gguf.txt)"), door="file"
    ),
)
"""In the order in which they are offered, and asked where several answer by default."""


def find(name: str) -> ProviderSpec:
    """The provider of this name. Raises KeyError."""
    for spec in PROVIDERS:
        if spec.name == name:
            return spec
    raise KeyError(name)


def names() -> tuple[str, ...]:
    """The names of all."""
    return tuple(spec.name for spec in PROVIDERS)


def over_the_net() -> tuple[ProviderSpec, ...]:
    """Return the providers reached over a connection, which have a key or an address."""
    return tuple(spec for spec in PROVIDERS if spec.by_net)


def list_setting_names() -> tuple[str, ...]:
    """The settings of all: of each its key, then its address."""
    return tuple(name for spec in over_the_net() for name in (spec.key_setting, spec.address_setting))
