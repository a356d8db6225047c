"""What the day's budget still allows: everything, background work on the cheapest models, or only replies to the user.

Money is in US dollars. A limit of 0 means there is none. The hard limit never silences a reply: the owner would rather
pay a cent than be ignored, so it stops everything else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from furoshiki.core.catalogue import Sentence, later
from furoshiki.models.llm.values import Standing

REPLY = "turn"
"""The purpose of a call that answers the user; "turn.…" names a part of one (a skill round, a second try)."""

APART = frozenset({"plugin_create", "plugin_review"})
"""Purposes with a budget of their own for each thing that is asked for: half a plugin is worth nothing tomorrow."""

Allowance = Literal["as_asked", "cheapest", "free_only", "none"]
"""What a call may use: the tier it asked for, the cheapest tier with a model, only what costs nothing, or no model."""


@dataclass(frozen=True)
class BudgetLimits:
    """Daily limits in dollars; 0 switches one off. A soft limit above the hard one is never reached."""

    soft_usd: float = 0.0
    hard_usd: float = 0.0


SOFT_SPENT = later(
    "Today's soft budget of ${most:.2f} is spent (${spent:.2f}): background work runs on the cheapest model until "
    "midnight UTC."
)
HARD_SPENT = later(
    "Today's budget of ${most:.2f} is spent (${spent:.2f}): I still answer you, everything else waits until midnight "
    "UTC."
)


@dataclass(frozen=True)
class BudgetVerdict:
    """What one call may use, and why: `reason` is a sentence the user can be shown, empty while all is free."""

    standing: Standing
    allowance: Allowance
    reason: str = ""


def is_reply(purpose: str) -> bool:
    """Whether a call of this purpose answers the user, so that they wait for it."""
    return purpose == REPLY or purpose.startswith(REPLY + ".")


def judge_spending(spent_usd: float, limits: BudgetLimits) -> Standing:
    """How today's spending stands against the limits; a limit counts as reached when it is met exactly."""
    if limits.hard_usd > 0 and spent_usd >= limits.hard_usd:
        return "hard"
    if limits.soft_usd > 0 and spent_usd >= limits.soft_usd:
        return "soft"
    return "free"


def judge(purpose: str, spent_usd: float, limits: BudgetLimits) -> BudgetVerdict:
    """What a call of this purpose may use after `spent_usd` dollars today."""
    where = judge_spending(spent_usd, limits)
    if where == "free" or purpose in APART:
        return BudgetVerdict("free", "as_asked")
    if where == "soft":
        reason = Sentence(SOFT_SPENT, most=limits.soft_usd, spent=spent_usd)
        return BudgetVerdict("soft", "as_asked" if is_reply(purpose) else "cheapest", reason)
    reason = Sentence(HARD_SPENT, most=limits.hard_usd, spent=spent_usd)
    return BudgetVerdict("hard", "as_asked" if is_reply(purpose) else "free_only", reason)
