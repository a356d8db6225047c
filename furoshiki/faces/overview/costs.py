"""The models' cost: today and the month against the budget, by purpose, and the dearest calls."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from furoshiki.conversation.commands import cost
from furoshiki.conversation.commands.status import day_start
from furoshiki.faces.overview.rules.cost_groups import GROUPS, By, Group, group
from furoshiki.models.llm.rules import budget
from furoshiki.models.llm.rules.budget import BudgetLimits
from furoshiki.models.llm.store import costs
from furoshiki.models.llm.store.costs import Call
from furoshiki.models.llm.values import Standing
from furoshiki.world import World

SPANS = (7, 30, 90)
"""The selectable numbers of days, ending today."""

DEAREST = 10


@dataclass(frozen=True)
class Shown:
    """The page's values. `found` is the data of `/cost`; an answer is one that used a model."""

    days: int
    found: dict[str, Any]
    standing: Standing
    groups: dict[By, list[Group]]
    dearest: list[Call]
    answers: int
    usd_per_answer: float | None
    seconds_per_answer: float | None
    guesses: str


def gather(world: World, days: int) -> Shown:
    """Gather the values of the last `days`."""
    found = cost.gather(world, "day", days)
    since = day_start(world.now) - timedelta(days=days - 1)
    with world.database.read() as db:
        cells = costs.cells(db, since)
        dear = costs.dearest(db, since, DEAREST)
        answers, usd, seconds = costs.of_answers(db, since)
    limits = BudgetLimits(found["limits"]["soft_usd"], found["limits"]["hard_usd"])
    guessed = found["price_guessed"]
    return Shown(
        days=days,
        found=found,
        standing=budget.judge_spending(found["today_usd"], limits),
        groups={by: group(cells, by) for by in GROUPS},
        dearest=dear,
        answers=answers,
        usd_per_answer=usd / answers if answers else None,
        seconds_per_answer=seconds / answers if answers else None,
        guesses=cost.guesses(guessed) if guessed else "",
    )
