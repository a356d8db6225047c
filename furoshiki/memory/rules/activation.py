"""How active something said is, for the exit gate: ACT-R's activation, A = B + S + noise.

The equations are those of Anderson & Lebiere, *The Atomic Components of Thought* (1998), and of the ACT-R 7 reference
manual. Ages are in seconds and count as at least 1.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

DECAY = 0.5
"""d: how fast each use fades, as a power of its age."""

NOISE = 0.4
"""s of the logistic noise; its standard deviation is pi*s/sqrt(3) = 0.73."""

THRESHOLD = 0.0
"""tau: what is less active than this is not persisted."""

YOUNGEST_S = 1.0
"""A use younger than this counts as this old: what was used just now is not infinitely active."""


def base_level(ages_s: Sequence[float], d: float = DECAY) -> float:
    """B = ln of the sum of t^-d over all uses, from their ages; minus infinity for what was never used."""
    total = math.fsum(_use(age, d) for age in ages_s)
    return math.log(total) if total > 0 else -math.inf


def noise(rng: random.Random, s: float = NOISE) -> float:
    """One draw of logistic noise with mean 0 and variance (pi*s)^2 / 3."""
    drawn = rng.random()
    while not 0.0 < drawn < 1.0:
        drawn = rng.random()
    return s * math.log(drawn / (1.0 - drawn))


def _use(age_s: float, d: float) -> float:
    return float(max(age_s, YOUNGEST_S) ** -d)
