"""A plugin's question to a small model, with a separate budget and without the owner's data."""

from collections.abc import Mapping
from datetime import UTC
from typing import Any

from furoshiki.core import refs
from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.extensions.plugins.broker.caller import Caller
from furoshiki.extensions.plugins.rules import asking
from furoshiki.extensions.plugins.rules.asking import Refused
from furoshiki.models.llm.background import patiently
from furoshiki.models.llm.store import costs
from furoshiki.models.llm.values import Block, Message, Question
from furoshiki.world import World

PURPOSE = "plugin:"
"""Prefix of the purpose of such calls, before the plugin's name."""

TIMEOUT_S = 30.0


async def think(world: World, caller: Caller, args: Mapping[str, Any]) -> tuple[dict[str, Any], float]:
    """Return the model's answer, and its cost in US dollars. Raises Refused."""
    system = asking.text(args, "system", asking.LONGEST_PROMPT)
    prompt = asking.text(args, "prompt", asking.LONGEST_PROMPT - len(system))
    tokens = args.get("max_tokens", 300)
    if not prompt:
        raise Refused('"prompt" is what the model is asked')
    if not isinstance(tokens, int) or not 1 <= tokens <= asking.MOST_TOKENS:
        raise Refused(f'"max_tokens" is a number from 1 to {asking.MOST_TOKENS}')
    _in_budget(world)
    question = Question(
        tier="micro",
        purpose=f"{PURPOSE}{caller.name}",
        system=(Block(world.prompts.render("plugins/work", system=system)),),
        messages=(Message("user", prompt),),
        max_tokens=tokens,
        timeout_s=TIMEOUT_S,
        turn_key=refs.name("plugins", caller.name),
    )
    try:
        answer = await patiently(world, question, world.now)
    except (AnswerUnusable, NoMindAnswered) as error:
        raise Refused(
            f"there is no model to ask just now ({error}): do without, or try again at the next run"
        ) from error
    return {"text": answer.text, "complete": answer.finish == "stop"}, answer.cost_usd


def _in_budget(world: World) -> None:
    midnight = world.now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    most = world.settings.furoshiki_plugin_day_usd
    with world.database.read() as db:
        spent = costs.spent_for(db, PURPOSE, midnight)
    if spent >= most:
        raise Refused(
            f"what plugins may spend on models today is spent (${spent:.2f} of ${most:.2f}): its owner can allow more "
            "with FUROSHIKI_PLUGIN_DAY_USD"
        )
