"""How far to contradict a user: at most the appetite, by tolerance (past reactions)."""

from collections.abc import Mapping
from typing import Literal

from furoshiki.language import nlp
from furoshiki.language.lexicon import Lexicon
from furoshiki.language.phrases import Said
from furoshiki.owner.user_model.rules.style_traits import HIGH, LOW, TOLERANCE, Trait, side

Tier = Literal["low", "middle", "high"]

WELL, BADLY = 8.5, 1.5
"""A good and a bad reaction to pushback, as observations of tolerance."""

_HURT = 0.5
_PLEASED = 0.3


def has_pushback(reply: str, lexicon: Lexicon) -> bool:
    """Whether the companion contradicted in this reply, by its words."""
    return any(True for _ in lexicon.phrases["pushback"].found(Said(reply)))


def judge_reaction(text: str, strengths: Mapping[str, float], lexicon: Lexicon) -> float | None:
    """Rate the reaction to pushback as good or bad; None if it does not show.

    Hurt outweighs thanks: conceding a point angrily is no request for more.
    """
    feedback = nlp.read(text, lexicon).explicit_feedback
    hurt = max(strengths.get(name, 0.0) for name in ("anger", "frustration", "sadness", "disengagement"))
    if hurt >= _HURT or feedback == "negative":
        return BADLY
    pleased = max(strengths.get(name, 0.0) for name in ("praise", "curiosity", "excitement", "warmth"))
    conceded = any(True for _ in lexicon.phrases["concessions"].found(Said(text)))
    return WELL if conceded or feedback == "positive" or pleased >= _PLEASED else None


def tier(traits: Mapping[str, Trait]) -> Tier | None:
    """Return how far to contradict; None while too little was observed.

    Never beyond the appetite; without a known one never "high".
    """
    appetite, tolerance = traits.get("challenge_appetite"), traits.get(TOLERANCE)
    known_traits = [trait for trait in (appetite, tolerance) if trait is not None and side(trait) is not None]
    if not known_traits:
        return None
    level = min(trait.value for trait in known_traits)
    if level <= LOW:
        return "low"
    return "high" if level >= HIGH and appetite in known_traits else "middle"
