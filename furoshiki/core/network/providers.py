"""The language model providers, one row each; provider-specific facts are only here.

Settings, plans, the gateway, prices, set-up, checks and the docs use these rows. Further limits of
a model are learned from its error messages (`furoshiki.models.llm.rules.refusals`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit

from furoshiki.core.catalogue import later

Door = Literal["anthropic", "openai", "file"]
"""A provider's API: Anthropic's messages, OpenAI's chat completions, or a local model file."""

TALK = ("chat", "fast", "micro")
"""Tiers in which a user waits for the answer, so that models think little or not at all."""


@dataclass(frozen=True)
class Asked:
    """Request fields for the models of a pattern in some tiers (in all when none is named).

    `send` are extra fields that set the thinking effort; `room` are tokens added to the answer's
    limit, because thinking tokens count towards it.
    """

    models: str = "*"
    tiers: tuple[str, ...] = ()
    send: Mapping[str, Any] = field(default_factory=dict)
    room: int = 0


@dataclass(frozen=True)
class Suggested:
    """A recommended local model for a machine with this much memory.
    `measure` quotes its measured quality, with source and date; the project has not measured it."""

    model: str
    memory_gb: int
    size_gb: float
    measure: str


@dataclass(frozen=True)
class ByPiece:
    """A model paid by the piece: a picture, or a minute of speech, at about `usd` each.

    `send` are further request fields; those a server refuses are left out. With `in_chat` the model
    is called like a chat model and returns pictures with its text.
    """

    model: str = ""
    usd: float = 0.0
    send: Mapping[str, Any] = field(default_factory=dict)
    in_chat: bool = False


@dataclass(frozen=True)
class ProviderSpec:
    """A provider. `name` is the prefix of its models ("name:model") and of its settings.

    `address` is the default URL, empty when only the owner knows it. `keys_at` is the page for
    creating a key, empty when none is needed; `key_shape` is a regular expression for keys, empty
    without a clear shape. `models` are suggested by tier (missing tiers use the next); with
    `by_key` they are active as soon as the key is set. `prices` is its name in genai-prices, or
    empty. `lacks` are optional fields it refuses (names as in
    `furoshiki.models.llm.rules.refusals`). `its_own` are features of its default address only:
    fields of a request, "batches", and "tools_unthought" when tools only work without thinking.
    `asked` says how its models are called; the first match applies. `wider` says how to enlarge the
    context window; `suggested` are models to download. `paints` and `hears` make pictures and
    transcribe speech; without a model the owner must name one, None: not offered.
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
        """The name of the setting with the provider's API key."""
        return f"{self.name.upper()}_API_KEY"

    @property
    def address_setting(self) -> str:
        """The name of the setting with a custom address of the provider."""
        return f"{self.name.upper()}_BASE_URL"

    @property
    def by_net(self) -> bool:
        """Whether the provider is reached over a connection; a model file is not."""
        return self.door != "file"

    @property
    def here(self) -> bool:
        """Whether the provider's models run on this machine."""
        return not self.by_net or urlsplit(self.address).hostname == "127.0.0.1"

    def answers_at(self, values: Mapping[str, str | None]) -> str:
        """Return the provider's address by `values`, without a final slash, or ""."""
        return (values.get(self.address_setting) or self.address).rstrip("/")

    def can_be_asked(self, values: Mapping[str, str | None]) -> bool:
        """Return whether the settings' `values` suffice to call the provider."""
        if self.keys_at:
            return bool(values.get(self.key_setting) or values.get(self.address_setting))
        return not self.by_net or bool(self.answers_at(values))

    def list_of_models(self, address: str) -> str:
        """Return the URL of a server's list of models; the request is free."""
        return f"{address.removesuffix('/v1')}/v1/models" if self.door == "anthropic" else f"{address}/models"

    def headers(self, key: str | None) -> dict[str, str]:
        """Return the headers of a plain request."""
        if self.door == "anthropic":
            return {"x-api-key": key or "", "anthropic-version": "2023-06-01"}
        return {"Authorization": f"Bearer {key}"} if key else {}


def _tiers(talk: str, small: str) -> Mapping[str, str]:
    return {"chat": talk, "deep": talk, "reflect": talk, "fast": small, "micro": small}


_PICTURE = {"size": "1024x1024", "response_format": "b64_json"}
"""Default request fields for a picture."""

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
        asked=(  # thinking cannot be switched off for these models
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
        # refuses unknown fields ("Extra inputs are not permitted")
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
"""In the order in which they are offered and, without a configured choice, called."""


def find(name: str) -> ProviderSpec:
    """Return the provider with this name. Raises KeyError."""
    for spec in PROVIDERS:
        if spec.name == name:
            return spec
    raise KeyError(name)


def names() -> tuple[str, ...]:
    """Return the names of all providers."""
    return tuple(spec.name for spec in PROVIDERS)


def over_the_net() -> tuple[ProviderSpec, ...]:
    """Return the providers reached over a connection, which have a key or an address."""
    return tuple(spec for spec in PROVIDERS if spec.by_net)


def list_setting_names() -> tuple[str, ...]:
    """Return the settings of all providers: of each its key, then its address."""
    return tuple(name for spec in over_the_net() for name in (spec.key_setting, spec.address_setting))
