"""Which settings follow from a choice of models; they are worked out here, and written elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import SecretStr

from furoshiki.core.network import providers
from furoshiki.core.settings import Settings
from furoshiki.models.llm.catalogue import Catalogue
from furoshiki.models.llm.plans import REFLEX, VARIABLES, ModelRef, plans_from
from furoshiki.models.llm.values import TIERS, Tier

NONE = "none"
"""Chosen in place of a provider to have the built-in mind alone."""

NAMES = (*providers.list_setting_names(), *VARIABLES.values())
"""Every setting that a choice may change."""

DECIDING = (
    *(spec.key_setting for spec in providers.PROVIDERS if spec.by_key),
    *(spec.address_setting for spec in providers.PROVIDERS if spec.by_key and spec.door == "openai"),
)
"""Those of them that choose a model by themselves."""

Values = dict[str, str | None]


@dataclass(frozen=True)
class Chosen:
    """What was chosen: whose models, the key, the server's address, and the name of one model for everything.

    Without a `model` the tiers are those that are proposed for the provider.
    """

    provider: str
    key: str | None = None
    base_url: str | None = None
    model: str | None = None


def settings_for(chosen: Chosen, held: Mapping[str, str | None], catalogue: Catalogue) -> Values:
    """What to write, None for what is to be taken out. `held` are the values of `NAMES` as they are.

    The key of another provider stays, behind the chosen one.
    """
    wanted: Values = dict.fromkeys(VARIABLES.values())
    if chosen.provider == NONE:
        if any(held.get(name) for name in DECIDING):
            wanted[VARIABLES["chat"]] = str(REFLEX)
        return wanted
    spec = providers.find(chosen.provider)
    if spec.by_net:
        wanted[spec.key_setting] = chosen.key
        if chosen.base_url or spec.door == "openai":  # what was there instead may be anybody's
            wanted[spec.address_setting] = chosen.base_url
    return wanted | _tiers(chosen, {**held, **wanted}, catalogue)


def _tiers(chosen: Chosen, after: Mapping[str, str | None], catalogue: Catalogue) -> Values:
    """The models of the tiers; none where the shipped defaults come to the same, so that they go on being followed."""
    if chosen.model is not None:
        return {VARIABLES["chat"]: f"{chosen.provider}:{chosen.model}"}
    proposed = catalogue.defaults.get(chosen.provider, {})
    defaults = plans_from(after, catalogue)
    answering = {tier: defaults.by_tier[tier].models[0] for tier in TIERS if tier in proposed}
    wanted = {tier: ModelRef(chosen.provider, model) for tier, model in proposed.items()}
    same = answering == wanted and not defaults.notes
    return {} if same else {VARIABLES[tier]: str(ref) for tier, ref in wanted.items()}


def with_values(settings: Settings, values: Values) -> Settings:
    """The settings as they would be with these."""
    update: dict[str, object] = {
        name.lower(): SecretStr(value) if value is not None and name.endswith("_KEY") else value
        for name, value in values.items()
    }
    return settings.model_copy(update=update)


def tiers_in_words(answering: Mapping[Tier, str]) -> str:
    """Which model answers for which tier: "chat, deep, reflect: claude-x; fast, micro: claude-y"."""
    by_model: dict[str, list[str]] = {}
    for tier, model in answering.items():
        by_model.setdefault(model, []).append(tier)
    return "; ".join(f"{', '.join(tiers)}: {model}" for model, tiers in by_model.items())
