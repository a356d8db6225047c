"""The models that answer, and the consequences: data sent out, who can read it, cost."""

from typing import Any

from furoshiki.core.network import providers
from furoshiki.core.network.providers import ProviderSpec
from furoshiki.core.settings import Settings
from furoshiki.maintenance import rules
from furoshiki.memory.perception import speech_to_text
from furoshiki.models.llm.plans import REFLEX, Plan, plans_of
from furoshiki.world import World

TIER_WORDS = {
    "chat": "what I say",
    "deep": "slow thought",
    "reflect": "journals, profiles and conclusions",
    "fast": "reading conversations and exploring what I am curious about",
    "micro": "small judgements",
}


def plain(world: World) -> str:
    """Render answers to the most frequent questions about the companion, from current settings."""
    settings = world.settings
    found = models(settings)
    return world.prompts.render(
        "self_knowledge/plain",
        companion=settings.furoshiki_companion_name,
        talks_with=found["talks_with"],
        providers=found["providers"],
        paid=bool(found["providers"]),
        telegram=settings.telegram_bot_token is not None,
        voice=speech_to_text.model(world) is not None,
        painter=_find_painter(world),
        heard_by="" if (maker := speech_to_text.find_elsewhere(world)) is None else maker.title,
        guest=world.who.place is not None,
        soft=_limit(settings.furoshiki_soft_budget_usd),
        hard=_limit(settings.furoshiki_hard_budget_usd),
        encrypted=bool(settings.backup_recipients),
        daily=rules.DAILY,
        weekly=rules.WEEKLY,
        monthly=rules.MONTHLY,
    )


def _find_painter(world: World) -> str:
    """Return the name of the picture service; "" without one."""
    maker = None if world.media is None else world.media.maker("pictures", world.settings.model_values())
    return "" if maker is None or world.who.standing != "owner" else maker.title


def _limit(usd: float) -> str:
    return f"{usd:g}" if usd else ""


def models(settings: Settings) -> dict[str, Any]:
    """Return which models answer for each tier. Keys are only checked for presence."""
    given = settings.model_values()
    plans = plans_of(settings).by_tier
    used = {ref.provider for plan in plans.values() for ref in plan.models}
    homes = [_home(spec, bool(given[spec.address_setting])) for spec in providers.over_the_net() if spec.name in used]
    return {
        "talks_with": _in_order(plans["chat"]),
        "providers": " and ".join(homes),
        "tiers": [
            {
                "name": tier.upper(),
                "words": TIER_WORDS[tier],
                "models": _in_order(plan) or "the reflex mind alone",
            }
            for tier, plan in plans.items()
        ],
    }


def _home(spec: ProviderSpec, elsewhere: bool) -> str:
    """Describe on whose machine a provider runs, as far as the settings show."""
    if elsewhere or not spec.address:
        return f"{spec.name} at an address the owner chose"
    return f"{spec.name} on this machine" if spec.here else spec.name


def _in_order(plan: Plan) -> str:
    return ", then ".join(f"`{ref}`" for ref in plan.models if ref != REFLEX)
