"""The models' cost: today and the month against the budget, by purpose, and the dearest calls."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal, get_args

from furoshiki.conversation.commands import cost
from furoshiki.conversation.commands.status import day_start
from furoshiki.models.llm.rules import budget
from furoshiki.models.llm.rules.budget import BudgetLimits
from furoshiki.models.llm.store import costs
from furoshiki.models.llm.store.costs import Call
from furoshiki.models.llm.values import Cell, Standing
from furoshiki.world import World

By = Literal["day", "purpose", "tier", "model"]
GROUPS: tuple[By, ...] = get_args(By)


@dataclass(frozen=True)
class Group:
    """One group: name, calls (failed ones, and those in batches at half the price), tokens in and
    out, share of input tokens from a cache, US dollars, and its share of all dollars, in [0, 1]."""

    name: str
    calls: int
    failed: int
    in_batches: int
    tokens_in: int
    tokens_out: int
    cached_share: float
    usd: float
    share: float


def group(cells: Iterable[Cell], by: By) -> list[Group]:
    """Return a group for each value; dearest first, days newest first."""
    found: dict[str, list[Cell]] = {}
    for cell in cells:
        found.setdefault(getattr(cell, by), []).append(cell)
    whole = sum(cell.usd for held in found.values() for cell in held)
    lines = [_line(name, held, whole) for name, held in found.items()]
    if by == "day":
        return sorted(lines, key=lambda line: line.name, reverse=True)
    return sorted(lines, key=lambda line: (-line.usd, -line.calls, line.name))


def _line(name: str, cells: list[Cell], whole: float) -> Group:
    tokens_in, usd = sum(cell.tokens_in for cell in cells), sum(cell.usd for cell in cells)
    return Group(
        name=name,
        calls=sum(cell.calls for cell in cells),
        failed=sum(cell.failed for cell in cells),
        in_batches=sum(cell.in_batches for cell in cells),
        tokens_in=tokens_in,
        tokens_out=sum(cell.tokens_out for cell in cells),
        cached_share=sum(cell.tokens_cached for cell in cells) / tokens_in if tokens_in else 0.0,
        usd=usd,
        share=usd / whole if whole else 0.0,
    )


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
