"""Nine dimensions of style preference, each a number from 1 to 10 that follows the user's messages.

5.5 is the middle and the default. A value follows quickly, a baseline slowly, so that a change in
the person can be distinguished from a change of the day.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

# measured from every message without a model (`style_measuring`)
MEASURED = ("verbosity", "directness", "formality", "emotional_valence", "pacing")

# read by a model from whole conversations
READ = ("abstraction_level", "certainty_level", "challenge_appetite", "depth_preference")

NAMES = (*MEASURED, *READ)

ENERGY = "energy"
TOLERANCE = "tolerance"
# stored alike, but no dimensions: the energy of messages, and the tolerance of contradiction
BESIDES = (ENERGY, TOLERANCE)

LOWEST, MIDDLE, HIGHEST = 1.0, 5.5, 10.0

# the weight of a new observation: of each of the first five, and of every later one
QUICK_WEIGHT, WEIGHT, QUICK_OBSERVATIONS = 0.5, 0.3, 5

# the baseline is the mean of the first 33 observations, then follows with this weight
BASELINE_WEIGHT = 0.03

LEAST_OBSERVATIONS = 2
LOW, HIGH = 4.0, 7.0  # at or beyond these a value becomes a style instruction

CYCLE = timedelta(minutes=30)
SHIFT_CYCLES = 3
# the distance from the baseline that is a shift, if seen in, and lasting, three half hours
SHIFT = 1.5

SETTLED_OBSERVATIONS = 8  # the least observations for a shift, as there is no baseline before

GROWTH_EVERY = timedelta(hours=24)
GROWTH_FRESH = timedelta(days=7)  # a shift that was last seen longer ago is not reported

Side = Literal["low", "middle", "high"]


@dataclass(frozen=True)
class Trait:
    """One dimension. `value` and `baseline` are in [1, 10].

    `shifted_since` is when the value left the baseline, `shifted_cycles` the number of half hours
    since then in which it was observed there. `told_at` is when the model was last told of such a
    shift, `forked_at` the exchange (in observations of verbosity, one per message) in which it was
    last asked to explore this dimension.
    """

    name: str
    value: float = MIDDLE
    baseline: float = MIDDLE
    observations: int = 0
    updated_at: datetime | None = None
    shifted_since: datetime | None = None
    shifted_cycles: int = 0
    told_at: datetime | None = None
    forked_at: int | None = None


def within(value: float) -> float:
    """Clamp a value to [1, 10]."""
    return min(HIGHEST, max(LOWEST, value))


def observe(trait: Trait, level: float, now: datetime) -> Trait:
    """Return the trait after one observation, clamped to [1, 10]."""
    level = within(level)
    weight = QUICK_WEIGHT if trait.observations < QUICK_OBSERVATIONS else WEIGHT
    slowly = max(1.0 / (trait.observations + 1), BASELINE_WEIGHT)
    after = replace(
        trait,
        value=within(trait.value + weight * (level - trait.value)),
        baseline=within(trait.baseline + slowly * (level - trait.baseline)),
        observations=trait.observations + 1,
        updated_at=now,
    )
    return _track_shift(trait, after, now)


def learn(traits: Mapping[str, Trait], levels: Mapping[str, float], now: datetime) -> dict[str, Trait]:
    """Return the traits an observation moved, as they are afterwards."""
    return {name: observe(traits.get(name, Trait(name)), value, now) for name, value in levels.items()}


def side(trait: Trait | None) -> Side | None:
    """Return where a trait is; None with too few observations."""
    if trait is None or trait.observations < LEAST_OBSERVATIONS:
        return None
    if trait.value <= LOW:
        return "low"
    return "high" if trait.value >= HIGH else "middle"


def distance(trait: Trait) -> float:
    """Return the distance of a value from the middle."""
    return abs(trait.value - MIDDLE)


def shift(trait: Trait) -> float:
    """Return the signed distance from the baseline; 0 if small or with few observations."""
    if trait.observations < SETTLED_OBSERVATIONS:
        return 0.0
    moved = trait.value - trait.baseline
    return moved if abs(moved) >= SHIFT else 0.0


def grown(traits: Iterable[Trait], now: datetime) -> tuple[Trait, Literal["up", "down"]] | None:
    """Return the largest lasting unreported shift; None within 24 hours of a report."""
    known_traits = list(traits)
    if any(trait.told_at is not None and abs(now - trait.told_at) < GROWTH_EVERY for trait in known_traits):
        return None
    lasting = [trait for trait in known_traits if trait.name in NAMES and _lasts(trait, now)]
    if not lasting:
        return None
    most = max(lasting, key=lambda trait: (abs(shift(trait)), trait.name))
    return most, "up" if shift(most) > 0 else "down"


def _lasts(trait: Trait, now: datetime) -> bool:
    since, updated_at = trait.shifted_since, trait.updated_at
    if since is None or updated_at is None or not shift(trait):
        return False
    old_enough = now - since >= SHIFT_CYCLES * CYCLE and trait.shifted_cycles >= SHIFT_CYCLES
    return old_enough and now - updated_at < GROWTH_FRESH and (trait.told_at is None or trait.told_at < since)


def _track_shift(before: Trait, after: Trait, now: datetime) -> Trait:
    """Update the time away from the baseline; a shift to the other side restarts it."""
    moved, was = shift(after), shift(before)
    if not moved:
        return replace(after, shifted_since=None, shifted_cycles=0)
    if before.shifted_since is None or before.updated_at is None or moved * was <= 0:
        return replace(after, shifted_since=now, shifted_cycles=1)
    since = before.shifted_since
    new_cycle = (now - since) // CYCLE > (before.updated_at - since) // CYCLE
    return replace(after, shifted_cycles=before.shifted_cycles + new_cycle)
