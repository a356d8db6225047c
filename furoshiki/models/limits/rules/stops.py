"""Whether an operator's limit is reached, and the message about it. Equal counts as reached."""

from furoshiki.models.limits.values import Limits, Spent
from furoshiki.models.llm.rules.budget import BudgetVerdict

_AND_THEN = "until midnight UTC I answer with what costs nothing"
_WHO = "the person who looks after the machine I live on"


def judge(limits: Limits, spent: Spent, all_homes_usd: float) -> BudgetVerdict | None:
    """Return the verdict on a home's calls if a limit is reached. `all_homes_usd` 0: no limit."""
    if limits.calls is not None and spent.calls >= limits.calls:
        return BudgetVerdict(
            "ceiling",
            "none",
            f"The {limits.calls} calls to models a day that {_WHO} allows me are used up: until midnight UTC I answer "
            "without a model.",
        )
    if limits.money is not None and spent.money >= limits.money:
        return _costly(f"The ${limits.money:.2f} a day that {_WHO} allows me are spent (${spent.money:.2f})")
    if all_homes_usd > 0 and spent.money_of_all >= all_homes_usd:
        return _costly(f"What {_WHO} allows all its companions together in a day is spent")
    return None


def _costly(what: str) -> BudgetVerdict:
    return BudgetVerdict("ceiling", "free_only", f"{what}: {_AND_THEN}.")
