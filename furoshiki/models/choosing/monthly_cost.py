"""Estimated monthly cost: tokens of a measured day, by tier, at the chosen models' prices."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from furoshiki.core.catalogue import format_number, later, say
from furoshiki.core.paths import ROOT
from furoshiki.models.llm.values import TIERS, Tier, Usage

MEASURED = ROOT / "config" / "typical_days.json"  # written by `python -m bench.typical_day --write`

DAYS_A_MONTH = 365.25 / 12


@dataclass(frozen=True)
class Day:
    """Tokens by tier of a measured day with this many messages from the owner."""

    persona: str
    messages: float
    tokens: Mapping[Tier, Usage]


@dataclass(frozen=True)
class Monthly:
    """US dollars a month for days like `day`: `usd` with prompt caching, `uncached_usd` without."""

    day: Day
    usd: float
    uncached_usd: float


def days() -> tuple[Day, ...]:
    """Return the measured days, the fewest messages first."""
    found = []
    for measured in json.loads(MEASURED.read_text(encoding="utf-8")):
        tokens = {}
        for tier in TIERS:
            if spent := measured["tiers"].get(tier):
                tokens[tier] = Usage(spent["input"], spent["cached"], output=spent["output"])
        found.append(Day(measured["persona"], measured["messages"], tokens))
    return tuple(sorted(found, key=lambda day: day.messages))


def monthly(day: Day, cost: Callable[[Tier, Usage], float]) -> Monthly:
    """Return the monthly cost; `cost` gives the price of tokens in a tier in US dollars."""
    cached = sum(cost(tier, used) for tier, used in day.tokens.items())
    plain = sum(cost(tier, Usage(used.input, output=used.output)) for tier, used in day.tokens.items())
    return Monthly(day, cached * DAYS_A_MONTH, plain * DAYS_A_MONTH)


def in_words(found: Monthly) -> str:
    """Describe the cost in one line, in the user's language."""
    cost = later("With {messages:g} messages a day: about {cost} a month.")
    return say(cost, messages=found.day.messages, cost=in_dollars(found))


def in_dollars(found: Monthly) -> str:
    """Format the cost, with prompt caching and without if they differ: "$0.35–0.52", "$2–3"."""
    spread = [format_number(usd, ".2f" if usd < 1 else ".0f") for usd in sorted((found.usd, found.uncached_usd))]
    return say("${amount}", amount="–".join(dict.fromkeys(spread)))
