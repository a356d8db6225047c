"""Problems of the set-up that this machine can detect by itself: a sentence each, with the fix.

Files are looked for, not opened, and nothing is contacted (see `furoshiki.faces.cli.servers`).
"""

import os
import tempfile
from collections.abc import Iterable

from furoshiki.core import settings as settings_module
from furoshiki.core.catalogue import later, say
from furoshiki.core.database.connection import PAGE_BYTES
from furoshiki.core.errors import in_words
from furoshiki.core.network import credentials, outbound, providers
from furoshiki.core.network.proxies import NoRoad
from furoshiki.core.settings import Settings
from furoshiki.models.llm.plans import REFLEX, Plan, Plans
from furoshiki.models.llm.values import Tier

# folders of the data directory that are written to
FOLDERS = ("memory", "config", "logs", "run", "backups")


def faults(settings: Settings, plans: Plans) -> list[str]:
    """Return what cannot work: keys, network, models, encoder, speech, folders."""
    unwritable = _folders(settings) or _full(settings)
    return [
        *_find_unusable(settings),
        *_models(settings, plans.by_tier.values()),
        *_encoder(settings),
        *_voice(settings),
        *unwritable,
    ]


def oddities(settings: Settings) -> list[str]:
    """Return settings that are probably unintended or have no effect."""
    held_back = settings_module.list_held_back(settings.data)
    soft, hard = settings.furoshiki_soft_budget_usd, settings.furoshiki_hard_budget_usd
    if soft <= hard or soft == type(settings).model_fields["furoshiki_soft_budget_usd"].default:
        return held_back
    return [
        *held_back,
        say(
            "FUROSHIKI_SOFT_BUDGET_USD ({soft:g}) is more than FUROSHIKI_HARD_BUDGET_USD "
            "({hard:g}), so background work never moves to the cheapest model: make it the "
            "smaller one",
            soft=soft,
            hard=hard,
        ),
    ]


def list_models(plans: Plans) -> set[str]:
    """Return all models in use, as "provider:model"."""
    return {str(ref) for plan in plans.by_tier.values() for ref in plan.models if ref != REFLEX}


def list_providers(plans: Plans) -> list[providers.ProviderSpec]:
    names = {name.partition(":")[0] for name in list_models(plans)}
    return [spec for spec in providers.PROVIDERS if spec.name in names]


def _find_unusable(settings: Settings) -> list[str]:
    """Return keys that cannot be sent, and an unusable proxy or certificates."""
    keys = {spec.key_setting: getattr(settings, spec.key_setting.lower()) for spec in providers.over_the_net()}
    keys["FUROSHIKI_CHROMA_TOKEN"] = settings.furoshiki_chroma_token
    found = []
    for name, key in keys.items():
        words = None if key is None else credentials.unfit(name, key.get_secret_value())
        if words is not None:
            found.append(words)
    try:
        on = outbound.road()
        for address in ("https://api.telegram.org", "http://example.org"):
            on.proxy(address)
        on.certificates()
    except NoRoad as error:
        found.append(str(error))
    return found


def _models(settings: Settings, plans: Iterable[Plan]) -> list[str]:
    """Return local models whose file or engine is missing."""
    from furoshiki.models.llm import local_gguf

    tiers: dict[str, Tier] = {}
    for plan in plans:
        for ref in plan.models:
            if not ref.spec.by_net and ref != REFLEX:
                tiers.setdefault(ref.model, plan.tier)
    found = []
    for model, tier in tiers.items():
        fault = local_gguf.fault(model, settings.data / "models")
        if fault is not None:
            names = later("{setting} names {model}, and {fault}")
            found.append(say(names, setting=f"FUROSHIKI_MODEL_{tier.upper()}", model=f"local:{model}", fault=fault))
    return found


def _encoder(settings: Settings) -> list[str]:
    from furoshiki.recall.retrieval import encoder_change

    fault = encoder_change.fault(settings)
    return [] if fault is None else [fault]


def _voice(settings: Settings) -> list[str]:
    from furoshiki.memory.perception import speech_to_text
    from furoshiki.models.speech import voices

    data = settings.data
    found = (
        speech_to_text.fault(settings.furoshiki_voice_model, data),
        voices.fault(settings.furoshiki_speech_voice, data),
    )
    return [fault for fault in found if fault is not None]


def _folders(settings: Settings) -> list[str]:
    """Return existing folders and files that are not writable; missing ones are created later."""
    places = [settings.data, *(settings.data / name for name in FOLDERS), settings.database.parent, settings.database]
    return [
        say("{path} cannot be written: check who owns it, and its permissions (`ls -ld {path}`)", path=path)
        for path in dict.fromkeys(places)
        if path.exists() and not os.access(path, os.W_OK | (os.X_OK if path.is_dir() else 0))
    ]


def _full(settings: Settings) -> list[str]:
    """Return the error of writing one page: the disk may be full or read-only."""
    if not settings.database.parent.is_dir():
        return []
    try:
        with tempfile.TemporaryFile(dir=settings.database.parent, buffering=0) as page:
            page.write(bytes(PAGE_BYTES))
    except OSError as error:
        return [in_words(error)]
    return []
