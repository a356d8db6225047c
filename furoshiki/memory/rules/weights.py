"""The weight of a memory: a Beta distribution, which holds both strength and certainty."""

import random
from dataclasses import dataclass

# contested: alpha and beta are both above this (much evidence for and against)
CONTESTED_ABOVE = 5.0

UNINFORMED_BELOW = 2.0  # uninformed: alpha and beta are both below this


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
        """The amount of evidence, for and against."""
        return self.alpha + self.beta

    @property
    def contested(self) -> bool:
        """Whether there is much evidence both for and against."""
        return self.alpha > CONTESTED_ABOVE and self.beta > CONTESTED_ABOVE

    @property
    def uninformed(self) -> bool:
        """Whether there is hardly any evidence yet."""
        return self.alpha < UNINFORMED_BELOW and self.beta < UNINFORMED_BELOW

    def observe(self, rng: random.Random) -> float:
        """Draw from the distribution, in [0, 1]."""
        return rng.betavariate(self.alpha, self.beta)


NEW = Weight(1.0, 4.0)  # the weight of a new memory
BOUNDARY = Weight(50.0, 1.0)  # the weight of an immutable memory
