"""How welcome each kind of message is: learned from what becomes of them, within bounds."""

from __future__ import annotations

from furoshiki.outreach.rules.laws import WeightLaws


def after(weight: float, outcome: str, laws: WeightLaws) -> float:
    """The weight of a kind (1 is where all begin) after one more outcome. KeyError for an outcome nobody knows."""
    return min(laws.most, max(laws.least, weight * laws.factors[outcome]))
