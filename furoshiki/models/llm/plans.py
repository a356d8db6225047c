"""The models of each tier, in order, from the owner's settings.

A tier uses the models in its own setting. While none of the five is set, the providers with a key
contribute their defaults. A tier without models uses the next cheaper tier that has some, or else
the next more expensive one. The built-in mind is last in every list.
"""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from furoshiki.core.catalogue import later, say
from furoshiki.core.errors import BadSetting
from furoshiki.core.network import providers
from furoshiki.core.network.providers import ProviderSpec
from furoshiki.core.settings import Settings
from furoshiki.models.llm.catalogue import Catalogue, load
from furoshiki.models.llm.values import TIERS, Tier

VARIABLES: Mapping[Tier, str] = {tier: f"FUROSHIKI_MODEL_{tier.upper()}" for tier in TIERS}

DEAREST_FIRST: tuple[Tier, ...] = ("deep", "reflect", "chat", "fast", "micro")


@dataclass(frozen=True)
class ModelRef:
    """One model of one provider; as text "provider:model"."""

    provider: str
    model: str

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}"

    @property
    def spec(self) -> ProviderSpec:
        """The provider's row; a default row for a provider supplied by the caller."""
        known = self.provider in providers.names()
        return providers.find(self.provider) if known else ProviderSpec(self.provider, self.provider, "", door="file")


REFLEX = ModelRef("local", "reflex")

_NO_MODEL = later("{setting} is set, but no model: set FUROSHIKI_MODEL_CHAT={model}.")


@dataclass(frozen=True)
class Plan:
    """Models to try in order, the built-in mind last; `tier` is the tier they were chosen for."""

    tier: Tier
    models: tuple[ModelRef, ...]

    @property
    def has_model(self) -> bool:
        """Whether there is a model besides the built-in mind."""
        return any(ref != REFLEX for ref in self.models)


@dataclass(frozen=True)
class Plans:
    """A plan for every tier. `notes` are sentences for the owner on unusable settings."""

    by_tier: Mapping[Tier, Plan]
    notes: tuple[str, ...] = ()

    @property
    def cheapest(self) -> Plan:
        """The plan of the cheapest tier with a model, or the built-in mind alone."""
        for tier in reversed(DEAREST_FIRST):
            if self.by_tier[tier].has_model:
                return self.by_tier[tier]
        return self.by_tier["micro"]


def parse_plan(text: str, variable: str = "FUROSHIKI_MODEL_CHAT") -> tuple[ModelRef, ...]:
    """Parse "provider:model[,provider:model…]"; empty text gives none.
    The built-in mind is not added. Raises BadSetting with the variable, the error, and the nearest
    valid value."""
    models: list[ModelRef] = []
    for part in (piece.strip() for piece in text.split(",")):
        if not part:
            continue
        provider, colon, model = (piece.strip() for piece in part.partition(":"))
        if provider not in providers.names():
            raise BadSetting(f"{variable}: {_unknown(part, provider, bool(colon))}")
        spec = providers.find(provider)
        if not model:
            raise BadSetting(f"{variable}: {part!r} names no model; write it as provider:model, {_example(spec)}")
        if not spec.by_net and model != REFLEX.model and not model.endswith(".gguf"):
            raise BadSetting(f"{variable}: {part!r} is neither local:reflex nor a file ending in .gguf")
        ref = ModelRef(provider, model)
        if ref not in models:
            models.append(ref)
    return tuple(models)


def plans_of(settings: Settings) -> Plans:
    """Return the plans for all settings, with the owner's catalogue, as `plans_from` does."""
    return plans_from(settings.model_values(), load(settings.data / "config" / "models.toml"))


def plans_from(values: Mapping[str, str | None], catalogue: Catalogue) -> Plans:
    """Return the plans for the settings' values; empty values count as missing.

    Raises BadSetting for an unreadable model; models without a key are left out with a note.
    """
    notes: list[str] = []
    own = {tier: parse_plan(values.get(variable) or "", variable) for tier, variable in VARIABLES.items()}
    chosen = {tier: _usable(models, values, VARIABLES[tier], notes) for tier, models in own.items()}
    if not any(own.values()):
        chosen = _defaults(values, catalogue, notes)
    filled = {tier: _resolve_plan(tier, chosen) for tier in TIERS}
    return Plans(filled, tuple(dict.fromkeys(notes)))


def _usable(
    models: Iterable[ModelRef], values: Mapping[str, str | None], variable: str, notes: list[str]
) -> tuple[ModelRef, ...]:
    found = []
    for ref in models:
        if ref.spec.can_be_asked(values):
            found.append(ref)
        else:
            setting = ref.spec.key_setting if ref.spec.keys_at else ref.spec.address_setting
            unset = later("{variable} names {model}, but {setting} is not set: set it, or choose another model.")
            notes.append(say(unset, variable=variable, model=ref, setting=setting))
    return tuple(found)


def _defaults(
    values: Mapping[str, str | None], catalogue: Catalogue, notes: list[str]
) -> dict[Tier, tuple[ModelRef, ...]]:
    chosen: dict[Tier, tuple[ModelRef, ...]] = dict.fromkeys(TIERS, ())
    unused: list[str] = []
    for spec in providers.over_the_net():
        key, address = values.get(spec.key_setting), values.get(spec.address_setting)
        proposed = catalogue.defaults.get(spec.name, {})
        if spec.door == "openai" and address:
            # the models on such a server are unknown
            notes.append(say(_NO_MODEL, setting=spec.address_setting, model=f"{spec.name}:<its model's name>"))
        elif spec.by_key and key:
            for tier, model in proposed.items():
                chosen[tier] = (*chosen[tier], ModelRef(spec.name, model))
        elif key:
            unused.append(say(_NO_MODEL, setting=spec.key_setting, model=_example(spec).rpartition(" ")[2]))
    # a key in the environment for another program is no permission to use it
    notes += [] if any(chosen.values()) else unused
    return chosen


def _resolve_plan(tier: Tier, chosen: Mapping[Tier, tuple[ModelRef, ...]]) -> Plan:
    place = DEAREST_FIRST.index(tier)
    cheaper, dearer = DEAREST_FIRST[place:], DEAREST_FIRST[:place][::-1]
    for candidate in (*cheaper, *dearer):
        if chosen[candidate]:
            models = chosen[candidate]
            cut = models.index(REFLEX) if REFLEX in models else len(models)
            return Plan(candidate, (*models[:cut], REFLEX))
    return Plan(tier, (REFLEX,))


def _unknown(part: str, provider: str, has_colon: bool) -> str:
    if not has_colon:
        family = part.partition("-")[0]
        makers = [
            spec for spec in providers.PROVIDERS if any(its.startswith(f"{family}-") for its in spec.models.values())
        ]
        fix = f"{makers[0].name}:{part}" if makers else f"provider:model, {_example(providers.PROVIDERS[0])}"
        return f"{part!r} has no provider; write it as {fix}"
    close = difflib.get_close_matches(provider, providers.names(), 1, 0.5)
    fix = f"did you mean {close[0]}?" if close else f"known are {', '.join(providers.names())}"
    return f"{part!r} names the unknown provider {provider!r}; {fix}"


def _example(spec: ProviderSpec) -> str:
    model = REFLEX.model if not spec.by_net else spec.models.get("chat", "qwen3:8b")
    return f"for example {spec.name}:{model}"
