"""How strongly a memory comes to mind: ACT-R's activation, A = B + S + P + noise.

The equations are those of Anderson & Lebiere, *The Atomic Components of Thought* (1998), and of the ACT-R 7 reference
manual; the base level of long histories is Petrov's hybrid (*Computationally efficient approximation of the
base-level learning equation in ACT-R*, ICCM 2006), which ACT-R itself uses as `:ol k`. Ages are in seconds and count as
at least 1.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

DECAY = 0.5
"""d: how fast each use fades, as a power of its age."""

NOISE = 0.4
"""s of the logistic noise; its standard deviation is pi*s/sqrt(3) = 0.73."""

MISMATCH = -1.0
"""P for each part of the cue (type, person, time) that the memory does not match."""

THRESHOLD = 0.0
"""tau: what is less active than this is not persisted, nor retrieved."""

YOUNGEST_S = 1.0
"""A use younger than this counts as this old: what was used just now is not infinitely active."""


def base_level(ages_s: Sequence[float], d: float = DECAY) -> float:
    """B = ln of the sum of t^-d over all uses, from their ages; minus infinity for what was never used."""
    total = math.fsum(_use(age, d) for age in ages_s)
    return math.log(total) if total > 0 else -math.inf


def base_level_approx(recent_ages_s: Sequence[float], count: int, lifetime_s: float, d: float = DECAY) -> float:
    """B where only the latest ages are known: `count` uses in all since `lifetime_s` ago, d in (0, 1).

    Exact when all ages are given. The older uses count as if spread evenly between the first one (the lifetime) and
    the oldest age given. Without any age, evenly over the whole lifetime: ln(n/(1-d)) - d*ln(L).
    """
    older = count - len(recent_ages_s)
    if older <= 0:
        return base_level(recent_ages_s, d)
    known = math.fsum(_use(age, d) for age in recent_ages_s)
    return math.log(known + older * _mean_use(*_span(recent_ages_s, lifetime_s), d))


def activation(base: float, spreading: float = 0.0, mismatches: int = 0, noise: float = 0.0) -> float:
    """A = B + S + P + noise. `spreading` is what the current focus and the core memories lend; see `noise`."""
    return base + spreading + MISMATCH * mismatches + noise


def noise(rng: random.Random, s: float = NOISE) -> float:
    """One draw of logistic noise with mean 0 and variance (pi*s)^2 / 3."""
    drawn = rng.random()
    while not 0.0 < drawn < 1.0:
        drawn = rng.random()
    return s * math.log(drawn / (1.0 - drawn))


def probability(activation: float, threshold: float = THRESHOLD, s: float = NOISE) -> float:
    """How likely something with this expected activation is above the threshold: 1 / (1 + e^((tau - A)/s))."""
    distance = (threshold - activation) / s
    return 0.0 if distance > 700 else 1.0 / (1.0 + math.exp(distance))


def _use(age_s: float, d: float) -> float:
    return float(max(age_s, YOUNGEST_S) ** -d)


def _span(recent_ages_s: Sequence[float], lifetime_s: float) -> tuple[float, float]:
    """Between which ages the older uses lie."""
    youngest = max((max(age, YOUNGEST_S) for age in recent_ages_s), default=0.0)
    return youngest, max(lifetime_s, youngest, YOUNGEST_S)


def _mean_use(youngest: float, oldest: float, d: float) -> float:
    """The mean of t^-d over ages spread evenly between two."""
    if oldest - youngest < 1e-6 * oldest:
        return _use(oldest, d)
    return float((oldest ** (1 - d) - youngest ** (1 - d)) / ((1 - d) * (oldest - youngest)))
