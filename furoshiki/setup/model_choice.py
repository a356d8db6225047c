"""Which settings follow from a choice of models; they are worked out here, and written elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from furoshiki.llm.catalogue import Catalogue
from furoshiki.llm.plans import VARIABLES, ModelRef, plans_from
from furoshiki.llm.values import TIERS, Tier

Provider = Literal["ollama", "anthropic", "openai", "openrouter", "compatible", "gguf", "none"]
PROVIDERS: tuple[Provider, ...] = ("ollama", "anthropic", "openai", "openrouter", "compatible", "gguf", "none")

OPENROUTER = "https://openrouter.ai/api/v1"

KEYS: Mapping[Provider, str] = {
    "anthropic": "ANTHROPIC_API_KEY",
    "openai": "OPENAI_API_KEY",
    "openrouter": "OPENAI_API_KEY",
    "compatible": "OPENAI_API_KEY",
}
"""Under which name the key of a provider is kept."""

NAMES = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL", *VARIABLES.values())
"""Every setting that a choice may change."""

Values = dict[str, str | None]


@dataclass(frozen=True)
class Chosen:
    """What was chosen: whose models, the key, the server's address, and the name of one model for everything.

    Without a `model` the tiers are those that config/models.toml proposes for the provider.
    """

    provider: Provider
    key: str | None = None
    base_url: str | None = None
    model: str | None = None


def settings_for(chosen: Chosen, held: Mapping[str, str | None], catalogue: Catalogue) -> Values:
    """What to write, None for what is to be taken out. `held` are the values of `NAMES` as they are.

    The key of another provider stays, behind the chosen one. It does not stay where it would be sent to a server that
    it is not for.
    """
    wanted: Values = dict.fromkeys(VARIABLES.values())
    if chosen.provider == "none":
        if any(held.get(name) for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL")):
            wanted[VARIABLES["chat"]] = "local:reflex"
        return wanted
    if chosen.provider == "gguf":
        wanted[VARIABLES["chat"]] = f"local:{chosen.model}"
        return wanted
    if chosen.provider == "anthropic":
        wanted["ANTHROPIC_API_KEY"] = chosen.key
    else:
        wanted |= {"OPENAI_API_KEY": chosen.key, "OPENAI_BASE_URL": chosen.base_url}
    return wanted | _tiers(chosen, {**held, **wanted}, catalogue)


def _tiers(chosen: Chosen, after: Mapping[str, str | None], catalogue: Catalogue) -> Values:
    """The models of the tiers; none where the shipped defaults come to the same, so that they go on being followed."""
    family = "anthropic" if chosen.provider == "anthropic" else "openai"
    if chosen.model is not None:
        return {VARIABLES["chat"]: f"{family}:{chosen.model}"}
    proposed = catalogue.defaults.get(chosen.provider, {})
    defaults = plans_from(after, catalogue)
    answering = {tier: defaults.by_tier[tier].models[0] for tier in TIERS if tier in proposed}
    same = answering == {tier: ModelRef(family, model) for tier, model in proposed.items()} and not defaults.notes
    return {} if same else {VARIABLES[tier]: f"{family}:{model}" for tier, model in proposed.items()}


def tiers_in_words(answering: Mapping[Tier, str]) -> str:
    """Which model answers for which tier: "chat, deep, reflect: claude-x; fast, micro: claude-y"."""
    by_model: dict[str, list[str]] = {}
    for tier, model in answering.items():
        by_model.setdefault(model, []).append(tier)
    return "; ".join(f"{', '.join(tiers)}: {model}" for model, tiers in by_model.items())
