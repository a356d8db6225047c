"""The settings that follow from a choice of models. Nothing is written here."""

from collections.abc import Mapping
from dataclasses import dataclass

from furoshiki.core.network import providers
from furoshiki.core.setting_rows import SecretStr
from furoshiki.core.settings import Settings
from furoshiki.models.llm.catalogue import Catalogue
from furoshiki.models.llm.plans import REFLEX, VARIABLES, ModelRef, plans_from
from furoshiki.models.llm.values import TIERS, Tier

NONE = "none"  # the choice of no provider: only the built-in mind answers

# every setting that a choice may change
NAMES = (*providers.list_setting_names(), *VARIABLES.values())

# the settings that select a model by themselves
DECIDING = (
    *(spec.key_setting for spec in providers.PROVIDERS if spec.by_key),
    *(spec.address_setting for spec in providers.PROVIDERS if spec.by_key and spec.door == "openai"),
)

Values = dict[str, str | None]


@dataclass(frozen=True)
class Chosen:
    """A choice of models: provider, key, the server's address, and one model for all tiers.

    Without a `model` the tiers get the models that are suggested for the provider.
    """

    provider: str
    key: str | None = None
    base_url: str | None = None
    model: str | None = None


def settings_for(chosen: Chosen, held: Mapping[str, str | None], catalogue: Catalogue) -> Values:
    """Return the settings to write; None removes one. `held` are the current values of `NAMES`.

    Keys of other providers stay, with lower priority.
    """
    wanted: Values = dict.fromkeys(VARIABLES.values())
    if chosen.provider == NONE:
        if any(held.get(name) for name in DECIDING):
            wanted[VARIABLES["chat"]] = str(REFLEX)
        return wanted
    spec = providers.find(chosen.provider)
    if spec.by_net:
        wanted[spec.key_setting] = chosen.key
        if chosen.base_url or spec.door == "openai":  # an earlier address may be of another server
            wanted[spec.address_setting] = chosen.base_url
    return wanted | _tiers(chosen, {**held, **wanted}, catalogue)


def _tiers(chosen: Chosen, after: Mapping[str, str | None], catalogue: Catalogue) -> Values:
    """Return the tiers' models; none where they equal the defaults, which then stay in use."""
    if chosen.model is not None:
        return {VARIABLES["chat"]: f"{chosen.provider}:{chosen.model}"}
    proposed = catalogue.defaults.get(chosen.provider, {})
    defaults = plans_from(after, catalogue)
    answering = {tier: defaults.by_tier[tier].models[0] for tier in TIERS if tier in proposed}
    wanted = {tier: ModelRef(chosen.provider, model) for tier, model in proposed.items()}
    same = answering == wanted and not defaults.notes
    return {} if same else {VARIABLES[tier]: str(ref) for tier, ref in wanted.items()}


def with_values(settings: Settings, values: Values) -> Settings:
    update: dict[str, object] = {
        name.lower(): SecretStr(value) if value is not None and name.endswith("_KEY") else value
        for name, value in values.items()
    }
    return settings.model_copy(update=update)


def tiers_in_words(answering: Mapping[Tier, str]) -> str:
    """List the tiers by model: "chat, deep, reflect: claude-x; fast, micro: claude-y"."""
    by_model: dict[str, list[str]] = {}
    for tier, model in answering.items():
        by_model.setdefault(model, []).append(tier)
    return "; ".join(f"{', '.join(tiers)}: {model}" for model, tiers in by_model.items())
