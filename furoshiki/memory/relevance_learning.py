"""Learn the weights of the parts of relevance from which injected memories proved useful."""

import math
import random
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.database import kv
from furoshiki.core.similarity import correlation
from furoshiki.core.timestamps import stamp
from furoshiki.memory import weighing
from furoshiki.memory.rules import injection
from furoshiki.memory.rules.ceilings import OUTCOMES_A_PARAMETER
from furoshiki.memory.store import memories
from furoshiki.memory.weighing import Cycle

# -- weights of the parts of relevance, drawn from a Dirichlet distribution --
#
# A young companion relies almost on semantic similarity alone; with more memories co-access and
# emotion count more. Which memories proved useful then tilts the weights, within bounds. The share of
# noise is never tilted.


COMPONENTS = ("semantic", "co_access", "noise", "emotion", "recency")

COLD_START = (12.0, 1.0, 0.5, 0.5, 3.0)
MATURE = (8.0, 5.0, 0.5, 3.0, 2.0)
# memories from which on the mature weights hold; below it, both are mixed in proportion
MATURE_AT = 1000

# learning may at most double or halve a part's weight (before all are scaled to the same sum)
MOST_TILT = math.log(2.0)

# the most that one batch of outcomes may tilt a part, as a logarithm: about a tenth
LARGEST_STEP = 0.1

HALF_CONVINCED = 20  # outcomes at which the step is half of that for infinitely many


@dataclass(frozen=True)
class Outcome:
    """An injected item: the parts of its relevance, each in [0, 1], and whether it was used."""

    voices: Mapping[str, float]
    used: bool


@dataclass(frozen=True)
class Relevance:
    """A Dirichlet distribution over the components, by its parameters (all above 0)."""

    parameters: tuple[float, ...]

    @property
    def mean(self) -> dict[str, float]:
        """The expected weights; they sum to 1."""
        total = math.fsum(self.parameters)
        return {name: value / total for name, value in zip(COMPONENTS, self.parameters, strict=True)}

    def draw(self, rng: random.Random) -> dict[str, float]:
        """Draw random weights; they sum to 1."""
        drawn = [rng.gammavariate(value, 1.0) for value in self.parameters]
        total = math.fsum(drawn)
        if total <= 0:
            return self.mean
        return {name: value / total for name, value in zip(COMPONENTS, drawn, strict=True)}


def relevance(memories: int, tilts: Mapping[str, float] | None = None) -> Relevance:
    """Return the Dirichlet for a number of memories, tilted by what was learned (see `learnt`).

    A tilt does not change the variance: the parameters keep their sum.
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
    """Return the tilts after a batch of outcomes: towards the parts that were high for used items.

    Each moves by its correlation with use, less with few outcomes, by at most `LARGEST_STEP`, and
    stays within `MOST_TILT`. If all or none were used nothing changes.
    """
    convinced = len(outcomes) / (len(outcomes) + HALF_CONVINCED) if outcomes else 0.0
    used = [1.0 if outcome.used else 0.0 for outcome in outcomes]
    moved = {}
    for name in COMPONENTS:
        if name != "noise":
            voices = [outcome.voices.get(name, 0.0) for outcome in outcomes]
            step = LARGEST_STEP * convinced * (correlation(voices, used) or 0.0)
            moved[name] = _clamp(tilts.get(name, 0.0) + step, MOST_TILT)
    return moved


def improvements(old: Mapping[str, float], new: Mapping[str, float], outcomes: Sequence[Outcome]) -> list[float]:
    """For each used item, return how much better `new` weights rank it, in [-1, 1]."""
    used = [outcome.voices for outcome in outcomes if outcome.used]
    unused = [outcome.voices for outcome in outcomes if not outcome.used]
    if not unused:
        return []
    return [_above(one, unused, new) - _above(one, unused, old) for one in used]


def _above(voices: Mapping[str, float], others: Sequence[Mapping[str, float]], weights: Mapping[str, float]) -> float:
    mine = injection.relevance(voices, weights)
    theirs = [injection.relevance(other, weights) for other in others]
    below, equal = sum(score < mine for score in theirs), theirs.count(mine)
    return (below + equal / 2) / len(theirs)


def _clamp(value: float, most: float) -> float:
    return max(-most, min(most, value))


TILTS = "relevance.tilts"  # the `kv` key of the learned tilt of each part (a logarithm)

# outcomes needed to learn: half are held out, and the random part learns nothing
ENOUGH = 2 * OUTCOMES_A_PARAMETER * (len(COMPONENTS) - 1)


def relevance_of(db: sqlite3.Connection) -> Relevance:
    """Return the current weights, from the number of memories and the learned tilts."""
    return relevance(memories.count_to(db, MATURE_AT), kv.get(db, TILTS))


def learn(db: sqlite3.Connection, now: datetime, outcomes: Sequence[Outcome], cycle: Cycle | None = None) -> bool:
    """Learn from a batch of outcomes; return whether anything changed.

    Even-numbered outcomes train, the others validate: a change must pass both gates of the safety
    ceilings (`weighing.guard_parameter`, in `cycle`'s stages; without a cycle they only report).
    """
    before = dict(kv.get(db, TILTS) or {})
    after = learnt(before, outcomes[::2])
    if all(abs(after[name] - before.get(name, 0.0)) < 1e-6 for name in after):
        return False
    count = memories.count(db)
    old, new = (relevance(count, tilts).mean for tilts in (before, after))
    held_out = outcomes[1::2]
    gains = improvements(old, new, held_out)
    here = cycle or Cycle(f"relevance:{stamp(now)}", now, frozenset())
    if not weighing.guard_parameter(db, here, TILTS, before, after, gains, len(after), len(held_out)):
        return False
    kv.put(db, TILTS, after, now)
    return True
