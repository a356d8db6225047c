"""The user's feelings in a session: ten shares, valence, intensity, and a wording of them.

The shares are the signal categories (`language.lexicon`), so that messages and sessions use one
vocabulary.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from furoshiki.language.humanize import join_in_english

# how pleasant each feeling is, -1 to 1 (the valence axis of Russell's circumplex, rounded)
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

# the adjective for each feeling
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

LEAST = 0.2  # shares (and intensities) below this are not mentioned

_STRENGTHS = ((0.75, "strongly"), (0.4, "clearly"), (0.0, "a little"))
_TONES = ((0.35, "it was good for them"), (-0.35, ""), (-1.1, "it was hard on them"))
_MOST_WORDS = 3


# connection in [0, 1] from which a session counts as close, and below which as distant (cold)
CLOSE, DISTANT = 0.7, 0.3


@dataclass(frozen=True)
class Felt:
    """The shares of feelings in [0, 1], valence in [-1, 1], intensity in [0, 1]."""

    feelings: Mapping[str, float]
    valence: float
    intensity: float


def build_felt(feelings: Mapping[str, float], valence: float | None = None, intensity: float | None = None) -> Felt:
    """Build a Felt; valence and intensity that were not read are derived from the feelings.

    Valence is then the mean pleasantness weighted by the shares, intensity the largest share; both
    0 without feelings. Shares of 0 are left out.
    """
    shares = {name: share for name, share in feelings.items() if share > 0.0}
    whole = sum(shares.values())
    mean = sum(PLEASANT[name] * share for name, share in shares.items()) / whole if whole else 0.0
    return Felt(
        shares,
        mean if valence is None else valence,
        max(shares.values(), default=0.0) if intensity is None else intensity,
    )


def in_words(felt: Felt) -> str:
    """Describe the feelings for a prompt, without numbers: "worried and relieved, clearly"."""
    if felt.intensity < LEAST:
        return "calm"
    names = sorted((name for name, share in felt.feelings.items() if share >= LEAST), key=lambda n: -felt.feelings[n])
    tone = next(words for least, words in _TONES if felt.valence >= least)
    if not names:
        return tone or "calm"
    strength = next(word for least, word in _STRENGTHS if felt.intensity >= least)
    words = join_in_english([WORDS[name] for name in names[:_MOST_WORDS]])
    return f"{words}, {strength}; {tone}" if tone else f"{words}, {strength}"


def describe_connection(connection: float) -> str:
    """Describe the connection in words; empty when it was neither close nor distant."""
    if connection >= CLOSE:
        return "you met closely"
    return "you hardly met" if connection < DISTANT else ""
