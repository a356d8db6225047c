"""The day's budget: everything, background work on the cheapest model only, or replies only.

In US dollars. A limit of 0 means none. The hard limit stops everything except replies: the owner
would rather pay a cent than be ignored.
"""

from dataclasses import dataclass
from typing import Literal

from furoshiki.core.catalogue import Sentence, later
from furoshiki.models.llm.values import Standing

# the purpose of replies to the user; "turn.…" is a part of one (skill round, second try)
REPLY = "turn"

# purposes with their own budget for each task: half a plugin is worth nothing tomorrow
APART = frozenset({"plugin_create", "plugin_review"})

# what a call may use: its own tier, the cheapest tier with a model, free models, or no model
Allowance = Literal["as_asked", "cheapest", "free_only", "none"]


@dataclass(frozen=True)
class BudgetLimits:
    """Daily limits in US dollars; 0: none. A soft limit above the hard one has no effect."""

    soft_usd: float = 0.0
    hard_usd: float = 0.0


SOFT_SPENT = later(
    "Today's soft budget of ${most:.2f} is used up (${spent:.2f}): background work runs on the "
    "cheapest model until midnight UTC."
)
HARD_SPENT = later(
    "Today's budget of ${most:.2f} is used up (${spent:.2f}): I'll still answer you, but "
    "everything else waits until midnight UTC."
)


@dataclass(frozen=True)
class BudgetVerdict:
    """What a call may use; `reason` is a sentence for the user, empty without a restriction."""

    standing: Standing
    allowance: Allowance
    reason: str = ""


def is_reply(purpose: str) -> bool:
    """Return whether a call of this purpose replies to the user, who waits for it."""
    return purpose == REPLY or purpose.startswith(REPLY + ".")


def judge_spending(spent_usd: float, limits: BudgetLimits) -> Standing:
    """Compare today's spending with the limits; equal counts as reached."""
    if limits.hard_usd > 0 and spent_usd >= limits.hard_usd:
        return "hard"
    if limits.soft_usd > 0 and spent_usd >= limits.soft_usd:
        return "soft"
    return "free"


def judge(purpose: str, spent_usd: float, limits: BudgetLimits) -> BudgetVerdict:
    """Return what a call of this purpose may use after spending `spent_usd` today."""
    where = judge_spending(spent_usd, limits)
    if where == "free" or purpose in APART:
        return BudgetVerdict("free", "as_asked")
    if where == "soft":
        reason = Sentence(SOFT_SPENT, most=limits.soft_usd, spent=spent_usd)
        return BudgetVerdict("soft", "as_asked" if is_reply(purpose) else "cheapest", reason)
    reason = Sentence(HARD_SPENT, most=limits.hard_usd, spent=spent_usd)
    return BudgetVerdict("hard", "as_asked" if is_reply(purpose) else "free_only", reason)
