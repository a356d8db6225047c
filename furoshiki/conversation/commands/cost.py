"""`/cost`: what thinking has cost, and how much of each prompt the provider already knew."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from furoshiki.conversation.commands.status import day_start
from furoshiki.language.humanize import plural
from furoshiki.llm.store import costs
from furoshiki.messages.values import Envelope, Words
from furoshiki.world import World

RECENT_DAYS = 30


async def run(world: World, _args: str, _envelope: Envelope) -> Words:
    """Today against the limits, then the last 30 days by model."""
    now = world.now
    with world.database.read() as db:
        today = costs.spent_since(db, day_start(now))
        week = costs.spent_since(db, now - timedelta(days=7))
        month = costs.breakdown(db, now - timedelta(days=RECENT_DAYS), "model")
        guessed = costs.guessed_since(db, now - timedelta(days=RECENT_DAYS))
    if not month:
        return Words("Nothing so far: no model has been asked yet.")
    total = sum(row["usd"] for row in month)
    limits = _limits(world.settings.furoshiki_soft_budget_usd, world.settings.furoshiki_hard_budget_usd)
    lines = [
        f"Today **{dollars(today)}** of {limits}; 7 days {dollars(week)}; {RECENT_DAYS} days {dollars(total)}.",
        *(_line(row) for row in month[:6]),
        *([guesses(guessed)] if guessed else []),
    ]
    return Words("\n".join(lines))


def dollars(usd: float) -> str:
    """A sum: "$1.20"; a small one to the hundredth of a cent, so that it does not read as nothing."""
    return f"${usd:.2f}" if usd >= 0.1 or usd == 0 else f"${usd:.4f}"


def guesses(models: Sequence[str]) -> str:
    """That the price of these models ("provider:model") is not known, and what to do about it."""
    names, verb = ", ".join(models), "is" if len(models) == 1 else "are"
    return (
        f"{names} {verb} on no price list: counted at a cautious guess. Write the true price into config/models.toml, "
        f'`[prices."{models[0]}"]`, 0 if it is free.'
    )


def _limits(soft: float, hard: float) -> str:
    limits = ((soft, "then cheaper"), (hard, "then only replies"))
    return ", ".join(f"{dollars(limit)} ({then})" for limit, then in limits if limit) or "no limit"


def _line(row: dict[str, Any]) -> str:
    share = f", {row['cached_share']:.0%} of the prompts cached" if row["cached_share"] else ""
    failed = f", {row['failed']} failed" if row["failed"] else ""
    return f"- {row['model']}: {dollars(row['usd'])}, {plural(row['calls'], 'call')}{failed}{share}"
