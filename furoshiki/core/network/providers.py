"""The language model providers: the tables of `config/providers.toml`, where alone are
provider-specific facts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit

from furoshiki.core.paths import ROOT, read_toml_file

# a provider's API: Anthropic's messages, OpenAI's chat completions, or a local model file
Door = Literal["anthropic", "openai", "file"]


@dataclass(frozen=True)
class Asked:
    """Request fields for the models of a pattern in some tiers (in all when none is named).

    `send` are extra fields that set the thinking effort; `room` are tokens added to the answer's
    limit, because thinking tokens count towards it.
    """

    models: str = "*"
    tiers: Sequence[str] = ()
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


def _build(name: str, row: Mapping[str, Any]) -> ProviderSpec:
    """Return the provider of a table in `config/providers.toml`."""
    fields = dict(row)
    if "models" in row:
        talking, small = row["models"]
        fields["models"] = {**dict.fromkeys(("chat", "deep", "reflect"), talking), "fast": small, "micro": small}
    for key in {"lacks", "its_own"} & row.keys():
        fields[key] = frozenset(row[key])
    for key in {"paints", "hears"} & row.keys():
        fields[key] = ByPiece(**row[key])
    fields["asked"] = tuple(Asked(**asked) for asked in row.get("asked", ()))
    fields["suggested"] = tuple(Suggested(**model) for model in row.get("suggested", ()))
    return ProviderSpec(name, **fields)


# in the order in which they are offered and, without a configured choice, called
PROVIDERS = tuple(_build(name, row) for name, row in read_toml_file(ROOT / "config" / "providers.toml").items())


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
