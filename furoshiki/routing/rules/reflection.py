"""What is believed of a consultant who looks back on decisions: little, and never against the owner.

A model that is asked what was missing nearly always finds something. So what it says counts only where it is sure,
where the owner was not content, where it says the same of many, and where it does not say it of all alike: what it
names must go with what was measured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from furoshiki.core.similarity import correlation
from furoshiki.routing.rules.decisions import PRAISE, Decided

Dimension = Literal[
    "memory_availability", "intent_clarity", "tone_ambiguity", "context_sufficiency", "social_vs_substantive"
]
DIMENSIONS: tuple[Dimension, ...] = get_args(Dimension)

BATCH = 5
"""Decisions that are looked back on together."""

CONFIDENT = 0.70
"""What a consultant says counts when it is surer than this."""

AGREEING = 0.25
"""A dimension counts when more than this share of what was looked back on in a week names it …"""

CORRELATED = 0.2
"""… and naming it goes at least so far (Pearson) with what was measured."""

LEAST = 10
"""Fewer looked back on say nothing."""


def batch(open_: Sequence[Decided], size: int = BATCH) -> list[Decided]:
    """What to look back on next: half of it what was least certain, the rest by turns what was tie-broken and what
    was most certain. Each part the newest first where they are equal; in the order in which they were made."""
    newest = sorted(open_, key=lambda one: -one.id)
    unsure = sorted(newest, key=lambda one: one.confidence)
    sure = unsure[::-1]
    tied = [one for one in newest if one.tie_broken]
    chosen = {one.id: one for one in unsure[: (size + 1) // 2]}
    for pool in (tied, sure) * size:
        if len(chosen) >= size:
            break
        found = next((one for one in pool if one.id not in chosen), None)
        if found is not None:
            chosen[found.id] = found
    return sorted(chosen.values(), key=lambda one: one.id)


@dataclass(frozen=True)
class Disagreement:
    """The share of what was looked back on, in [0, 1], of which something counts as missing; and what it was mostly."""

    share: float
    dimension: str | None


def counted(one: Decided) -> tuple[str, ...]:
    """What counts as missing of what a consultant says about one decision: nothing against what the owner said."""
    return () if one.feedback == PRAISE else _named(one)


def _named(one: Decided) -> tuple[str, ...]:
    """What a consultant is sure was missing."""
    found = one.reflected
    return () if found is None or found.confidence <= CONFIDENT else found.dimensions


def disagreement(decisions: Sequence[Decided]) -> Disagreement | None:
    """What reflection comes to over a week; None while too little was looked back on.

    What the owner praised counts as looked back on, and as right.
    """
    looked_at = [one for one in decisions if one.reflected is not None or one.feedback == PRAISE]
    if len(looked_at) < LEAST:
        return None
    shares = {name: sum(name in counted(one) for one in looked_at) / len(looked_at) for name in DIMENSIONS}
    believed = [name for name in DIMENSIONS if shares[name] > AGREEING and _measurable(name, looked_at)]
    if not believed:
        return Disagreement(0.0, None)
    wrong = sum(bool(set(counted(one)) & set(believed)) for one in looked_at)
    return Disagreement(wrong / len(looked_at), max(believed, key=lambda name: shares[name]))


def _measurable(name: Dimension, looked_at: Sequence[Decided]) -> bool:
    """Whether naming a dimension goes with what was measured of the same messages, praised or not; where it is named
    always, it does not."""
    reflected = [one for one in looked_at if one.reflected is not None]
    named = [float(name in _named(one)) for one in reflected]
    found = correlation(named, [_lack(name, one) for one in reflected])
    return found is not None and found >= CORRELATED


def _lack(name: Dimension, one: Decided) -> float:
    """How much of it was missing by what was measured, the higher the more."""
    match name:
        case "memory_availability":
            return 1.0 - (one.knowing or 0.0)
        case "context_sufficiency":
            return 1.0 - one.warmth
        case "intent_clarity":
            return 1.0 - one.confidence
        case "tone_ambiguity":
            return float(one.tie_broken) + _on(one.signals, "negative", "praise_alone")
        case "social_vs_substantive":
            return _on(one.signals, "greeting_alone", "praise_alone", "parting_alone")


def _on(signals: Mapping[str, object], *names: str) -> float:
    """1 where any of these signals was seen, else 0."""
    return float(any(signals.get(name) for name in names))
