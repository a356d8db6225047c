"""Learn how welcome each kind of message is from its outcomes, within bounds."""

from collections.abc import Mapping

from furoshiki.mind.outreach.rules.laws import WeightLaws

DISLIKED, WELCOMED = ("anger", "frustration", "disengagement"), ("praise", "warmth", "excitement", "relief")
"""The signals that mark a reaction as disliked or welcomed, if they are the strongest."""


def of_reaction(strengths: Mapping[str, float]) -> str:
    """Return the outcome of a reaction; "answered" when it shows neither approval nor dislike."""
    strongest = max(strengths, key=strengths.__getitem__, default="")
    if strongest in DISLIKED:
        return "disliked"
    return "welcomed" if strongest in WELCOMED else "answered"


def after(weight: float, outcome: str, laws: WeightLaws) -> float:
    """Return a kind's weight (initially 1) after an outcome. Raises KeyError if unknown."""
    return min(laws.most, max(laws.least, weight * laws.factors[outcome]))
