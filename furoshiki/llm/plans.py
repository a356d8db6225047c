"""Which models answer for which tier, in which order, from what the owner set.

The rule, in one breath: a tier uses the models named in its own variable; while none of the five variables is set, the
shipped defaults of the providers whose keys are there; a tier left open uses the next cheaper tier that has models, or
else the next dearer one; and behind every list stands the built-in mind.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from furoshiki.core.errors import BadSetting
from furoshiki.llm.catalogue import Catalogue
from furoshiki.llm.values import TIERS, Tier

PROVIDERS = ("anthropic", "openai", "local")

VARIABLES: Mapping[Tier, str] = {tier: f"FUROSHIKI_MODEL_{tier.upper()}" for tier in TIERS}

DEAREST_FIRST: tuple[Tier, ...] = ("deep", "reflect", "chat", "fast", "micro")


@dataclass(frozen=True)
class ModelRef:
    """One model of one provider; its text is "provider:model"."""

    provider: str
    model: str

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}"


REFLEX = ModelRef("local", "reflex")


@dataclass(frozen=True)
class Plan:
    """The models to be asked in order, the built-in mind last; `tier` is the one they were chosen for."""

    tier: Tier
    models: tuple[ModelRef, ...]

    @property
    def has_model(self) -> bool:
        """Whether anything but the built-in mind answers."""
        return any(ref != REFLEX for ref in self.models)


@dataclass(frozen=True)
class Plans:
    """A plan for every tier. `notes` are sentences for the owner: what is set but cannot be used, and the fix."""

    by_tier: Mapping[Tier, Plan]
    notes: tuple[str, ...] = ()

    @property
    def cheapest(self) -> Plan:
        """The plan of the cheapest tier that has a model (or the built-in mind alone)."""
        for tier in reversed(DEAREST_FIRST):
            if self.by_tier[tier].has_model:
                return self.by_tier[tier]
        return self.by_tier["micro"]


def parse_plan(text: str, variable: str = "FUROSHIKI_MODEL_CHAT") -> tuple[ModelRef, ...]:
    """The models of "provider:model[,provider:model…]"; the built-in mind is not added. Empty text gives none.

    Raises BadSetting naming the variable, what is wrong, and the nearest valid thing.
    """
    models: list[ModelRef] = []
    for part in (piece.strip() for piece in text.split(",")):
        if not part:
            continue
        provider, colon, model = (piece.strip() for piece in part.partition(":"))
        if provider not in PROVIDERS:
            raise BadSetting(f"{variable}: {_unknown(part, provider, bool(colon))}")
        if not model:
            raise BadSetting(f"{variable}: {part!r} names no model; write it as provider:model, {_example(provider)}")
        if provider == "local" and model != REFLEX.model and not model.endswith(".gguf"):
            raise BadSetting(f"{variable}: {part!r} is neither local:reflex nor a file ending in .gguf")
        ref = ModelRef(provider, model)
        if ref not in models:
            models.append(ref)
    return tuple(models)


def plans_from(values: Mapping[str, str | None], catalogue: Catalogue) -> Plans:
    """The plans that follow from the environment's values (missing and empty ones are alike).

    Raises BadSetting for a model that cannot be read; a model whose key is missing is left out with a note.
    """
    notes: list[str] = []
    own = {tier: parse_plan(values.get(variable) or "", variable) for tier, variable in VARIABLES.items()}
    chosen = {tier: _usable(models, values, VARIABLES[tier], notes) for tier, models in own.items()}
    if not any(own.values()):
        chosen = _defaults(values, catalogue, notes)
    filled = {tier: _resolved(tier, chosen) for tier in TIERS}
    return Plans(filled, tuple(dict.fromkeys(notes)))


def _usable(
    models: Iterable[ModelRef], values: Mapping[str, str | None], variable: str, notes: list[str]
) -> tuple[ModelRef, ...]:
    found = []
    for ref in models:
        key = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}.get(ref.provider)
        own_server = values.get(f"{ref.provider.upper()}_BASE_URL")
        if key and not values.get(key) and not own_server:
            notes.append(f"{variable} names {ref}, but {key} is not set: set it, or choose another model.")
        else:
            found.append(ref)
    return tuple(found)


def _defaults(
    values: Mapping[str, str | None], catalogue: Catalogue, notes: list[str]
) -> dict[Tier, tuple[ModelRef, ...]]:
    chosen: dict[Tier, tuple[ModelRef, ...]] = dict.fromkeys(TIERS, ())
    for provider in ("anthropic", "openai"):
        if provider == "openai" and values.get("OPENAI_BASE_URL"):
            # whose server this is, and what runs on it, nobody can guess
            notes.append(f"OPENAI_BASE_URL is set, but no model: set {VARIABLES['chat']}=openai:<its model's name>.")
            continue
        if not values.get(f"{provider.upper()}_API_KEY"):
            continue
        for tier, model in catalogue.defaults.get(provider, {}).items():
            chosen[tier] = (*chosen[tier], ModelRef(provider, model))
    return chosen


def _resolved(tier: Tier, chosen: Mapping[Tier, tuple[ModelRef, ...]]) -> Plan:
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
        guess = "anthropic" if part.startswith("claude") else "openai" if part.startswith(("gpt", "o1", "o3")) else None
        fix = f"{guess}:{part}" if guess else "provider:model, for example anthropic:claude-sonnet-5-5"
        return f"{part!r} has no provider; write it as {fix}"
    close = difflib.get_close_matches(provider, PROVIDERS, 1, 0.5)
    fix = f"did you mean {close[0]}?" if close else f"known are {', '.join(PROVIDERS)}"
    return f"{part!r} names the unknown provider {provider!r}; {fix}"


def _example(provider: str) -> str:
    examples = {"anthropic": "anthropic:claude-sonnet-5-5", "openai": "openai:gpt-6-luna", "local": "local:reflex"}
    return f"for example {examples[provider]}"
