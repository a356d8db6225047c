"""How much a memory weighs: a Beta distribution, so that how sure we are is kept beside how strongly we hold it."""

from __future__ import annotations

import random
from dataclasses import dataclass

CONTESTED_ABOVE = 5.0
"""Alpha and beta both above this: much speaks for it and much against."""

UNINFORMED_BELOW = 2.0
"""Alpha and beta both below this: nothing is known yet."""


@dataclass(frozen=True)
class Weight:
    """Beta(alpha, beta); both are greater than 0."""

    alpha: float
    beta: float

    def __post_init__(self) -> None:
        if not (self.alpha > 0 and self.beta > 0):
            raise ValueError(f"a weight needs alpha and beta above 0, not {self.alpha} and {self.beta}")

    @property
    def centre(self) -> float:
        """The mean, in (0, 1)."""
        return self.alpha / (self.alpha + self.beta)

    @property
    def evidence(self) -> float:
        """How much was seen, for and against."""
        return self.alpha + self.beta

    @property
    def contested(self) -> bool:
        """Much speaks for it and much against it."""
        return self.alpha > CONTESTED_ABOVE and self.beta > CONTESTED_ABOVE

    @property
    def uninformed(self) -> bool:
        """Hardly anything was seen yet."""
        return self.alpha < UNINFORMED_BELOW and self.beta < UNINFORMED_BELOW

    def observe(self, rng: random.Random) -> float:
        """One draw from the distribution, in [0, 1]."""
        return rng.betavariate(self.alpha, self.beta)


NEW = Weight(1.0, 4.0)
"""A memory nobody has needed yet."""

BOUNDARY = Weight(50.0, 1.0)
"""An immutable boundary."""
