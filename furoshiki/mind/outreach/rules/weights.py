"""How welcome each kind of message is: learned from what becomes of them, within bounds."""

from collections.abc import Mapping

from furoshiki.mind.outreach.rules.laws import WeightLaws

DISLIKED, WELCOMED = ("anger", "frustration", "disengagement"), ("praise", "warmth", "excitement", "relief")
"""What a reaction to a message says of it, by the signal that is strongest in it."""


def of_reaction(strengths: Mapping[str, float]) -> str:
    """The outcome that a reaction stands for: one that says nothing of the message is an answer."""
    strongest = max(strengths, key=strengths.__getitem__, default="")
    if strongest in DISLIKED:
        return "disliked"
    return "welcomed" if strongest in WELCOMED else "answered"


def after(weight: float, outcome: str, laws: WeightLaws) -> float:
    """The weight of a kind (1 is where all begin) after one more outcome. KeyError for an outcome nobody knows."""
    return min(laws.most, max(laws.least, weight * laws.factors[outcome]))
