"""How much each voice counts when memories compete for a place in the prompt: weights drawn from a Dirichlet.

A young companion goes almost by meaning alone; with more memories it also hears what belongs together and how it
feels. What turned out to be of use then tilts the weights, within bounds. The share of noise is never tilted: chance
must stay chance.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from furoshiki.core.similarity import correlation

COMPONENTS = ("semantic", "co_access", "noise", "emotion", "recency")

COLD_START = (12.0, 1.0, 0.5, 0.5, 3.0)
MATURE = (8.0, 5.0, 0.5, 3.0, 2.0)
MATURE_AT = 1000
"""Memories from which on a companion is no beginner any more; before, both are mixed by their share of it."""

MOST_TILT = math.log(2.0)
"""Outcomes may at most double or halve what a voice counts (before all are scaled to the same sum)."""

LARGEST_STEP = 0.1
"""How far one batch of outcomes may tilt a voice, as a logarithm: about a tenth."""

HALF_CONVINCED = 20
"""Outcomes that count half as much as endlessly many would."""


@dataclass(frozen=True)
class Outcome:
    """What came of something injected: how its voices spoke for it, each in [0, 1], and whether it was used."""

    voices: Mapping[str, float]
    used: bool


@dataclass(frozen=True)
class Relevance:
    """A Dirichlet over the components, by its parameters (all above 0)."""

    parameters: tuple[float, ...]

    @property
    def mean(self) -> dict[str, float]:
        """The expected weights; they sum to 1."""
        total = math.fsum(self.parameters)
        return {name: value / total for name, value in zip(COMPONENTS, self.parameters, strict=True)}

    def draw(self, rng: random.Random) -> dict[str, float]:
        """Weights drawn by chance; they sum to 1."""
        drawn = [rng.gammavariate(value, 1.0) for value in self.parameters]
        total = math.fsum(drawn)
        if total <= 0:
            return self.mean
        return {name: value / total for name, value in zip(COMPONENTS, drawn, strict=True)}


def relevance(memories: int, tilts: Mapping[str, float] | None = None) -> Relevance:
    """The Dirichlet for so many memories, tilted by what was learnt (see `learnt`).

    A tilt never changes how far the weights scatter: the parameters sum to what they would without it.
    """
    share = min(1.0, max(0, memories) / MATURE_AT)
    prior = [cold + share * (ripe - cold) for cold, ripe in zip(COLD_START, MATURE, strict=True)]
    tilted = [
        value * math.exp(_clamp((tilts or {}).get(name, 0.0), MOST_TILT))
        for name, value in zip(COMPONENTS, prior, strict=True)
    ]
    scale = math.fsum(prior) / math.fsum(tilted)
    return Relevance(tuple(value * scale for value in tilted))


def learnt(tilts: Mapping[str, float], outcomes: Sequence[Outcome]) -> dict[str, float]:
    """The tilts after a batch of outcomes: towards the voices that were loud for what was used.

    Each moves by its correlation with use, less when there are few outcomes, by `LARGEST_STEP` at most, and stays
    within `MOST_TILT`. Where all or nothing was used there is nothing to learn.
    """
    convinced = len(outcomes) / (len(outcomes) + HALF_CONVINCED) if outcomes else 0.0
    used = [1.0 if outcome.used else 0.0 for outcome in outcomes]
    return {
        name: _clamp(
            tilts.get(name, 0.0)
            + LARGEST_STEP
            * convinced
            * (correlation([outcome.voices.get(name, 0.0) for outcome in outcomes], used) or 0.0),
            MOST_TILT,
        )
        for name in COMPONENTS
        if name != "noise"
    }


def improvements(old: Mapping[str, float], new: Mapping[str, float], outcomes: Sequence[Outcome]) -> list[float]:
    """For each thing that was used, how much better `new` weights rank it above the unused ones: in [-1, 1] each."""
    used = [outcome.voices for outcome in outcomes if outcome.used]
    unused = [outcome.voices for outcome in outcomes if not outcome.used]
    if not unused:
        return []
    return [_above(one, unused, new) - _above(one, unused, old) for one in used]


def _above(one: Mapping[str, float], others: Sequence[Mapping[str, float]], weights: Mapping[str, float]) -> float:
    mine = _blend(one, weights)
    theirs = [_blend(other, weights) for other in others]
    return math.fsum(1.0 if mine > score else 0.5 if mine == score else 0.0 for score in theirs) / len(theirs)


def _blend(voices: Mapping[str, float], weights: Mapping[str, float]) -> float:
    return math.fsum(weight * voices.get(name, 0.0) for name, weight in weights.items())


def _clamp(value: float, most: float) -> float:
    return max(-most, min(most, value))
