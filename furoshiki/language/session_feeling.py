"""What a session felt like to the user: ten shares, how pleasant it was on the whole, how strong, and that in words.

The shares are the signal categories (`language.lexicon`), so that a message and a session are spoken of in one
vocabulary.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from furoshiki.language.humanize import join_items

PLEASANT: Mapping[str, float] = MappingProxyType(
    {
        "anger": -0.8,
        "frustration": -0.6,
        "praise": 0.7,
        "warmth": 0.8,
        "excitement": 0.8,
        "worry": -0.6,
        "sadness": -0.8,
        "curiosity": 0.2,
        "disengagement": -0.4,
        "relief": 0.6,
    }
)
"""How pleasant each is to whom feels it, -1 to 1 (after the valence axis of Russell's circumplex, rounded)."""

WORDS: Mapping[str, str] = MappingProxyType(
    {
        "anger": "angry",
        "frustration": "frustrated",
        "praise": "appreciative",
        "warmth": "warm",
        "excitement": "excited",
        "worry": "worried",
        "sadness": "sad",
        "curiosity": "curious",
        "disengagement": "withdrawn",
        "relief": "relieved",
    }
)
"""How somebody is who feels it."""

LEAST = 0.2
"""A share below this is not worth a word."""

_STRENGTHS = ((0.75, "strongly"), (0.4, "clearly"), (0.0, "a little"))
_TONES = ((0.35, "it was good for them"), (-0.35, ""), (-1.1, "it was hard on them"))
_MOST_WORDS = 3


CLOSE, DISTANT = 0.7, 0.3
"""From which connection in [0, 1] two have met closely, and below which hardly (a session is cold there)."""


@dataclass(frozen=True)
class Felt:
    """Shares in [0, 1] of what was felt, valence in [-1, 1], intensity in [0, 1]."""

    feelings: Mapping[str, float]
    valence: float
    intensity: float


def build_felt(feelings: Mapping[str, float], valence: float | None = None, intensity: float | None = None) -> Felt:
    """Feelings with their valence and intensity. Where those were not read they follow from the feelings.

    Valence is then the mean pleasantness weighed by the shares, intensity the largest share; both 0 when nothing was
    felt. Shares of 0 are left out.
    """
    shares = {name: share for name, share in feelings.items() if share > 0.0}
    whole = sum(shares.values())
    mean = sum(PLEASANT[name] * share for name, share in shares.items()) / whole if whole else 0.0
    return Felt(
        shares,
        mean if valence is None else valence,
        max(shares.values(), default=0.0) if intensity is None else intensity,
    )


def in_words(one: Felt) -> str:
    """The feelings for a prompt, in words and never in numbers: "worried and relieved, clearly"."""
    if one.intensity < LEAST:
        return "calm"
    named = sorted((name for name, share in one.feelings.items() if share >= LEAST), key=lambda n: -one.feelings[n])
    tone = next(words for least, words in _TONES if one.valence >= least)
    if not named:
        return tone or "calm"
    strength = next(word for least, word in _STRENGTHS if one.intensity >= least)
    words = join_items([WORDS[name] for name in named[:_MOST_WORDS]])
    return f"{words}, {strength}; {tone}" if tone else f"{words}, {strength}"


def describe_connection(connection: float) -> str:
    """How much two people met in a conversation, in words; empty where it was neither much nor little."""
    return "you met closely" if connection >= CLOSE else "you hardly met" if connection < DISTANT else ""
