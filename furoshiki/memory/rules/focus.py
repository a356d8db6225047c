"""Rules of context inertia: how much the previous focus influences the next recall."""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from furoshiki.core.similarity import unit
from furoshiki.language.words import asks, count_words

CARRIED = 0.3
"""The share of the previous focus in the next one; after a shift of subject, the one below."""

CARRIED_AFTER_SHIFT = 0.05
SHIFT = 0.7
"""Above this distance (1 − cosine) the subject has changed."""


IDLE_WORDS = 8
"""Words up to which a message may be idle talk."""

_ASKS = re.compile(
    r"^\W*(?:who|whom|whose|what|when|where|why|how|which|is|are|am|was|were|do|does|did|can|could|will|would|shall|"
    r"should|may|have|has|had|tell|show|find|remind|give|say|list|add|set|help|please)\b",
    re.IGNORECASE,
)


def drifts(text: str, share: float) -> bool:
    """Whether the talk drifts: a short message that requests nothing, after a shift of subject.

    `share` is the share of the previous focus (see `compute_share`); without a focus nothing
    drifts.
    """
    idle = 0 < count_words(text) <= IDLE_WORDS and not asks(text) and _ASKS.search(text.strip()) is None
    return idle and share == CARRIED_AFTER_SHIFT


def compute_share(likeness: float) -> float:
    """Return the share of the previous focus, from its similarity to the new message (a cosine)."""
    return CARRIED_AFTER_SHIFT if 1.0 - likeness > SHIFT else CARRIED


def overlap(first: AbstractSet[str], second: AbstractSet[str]) -> float:
    """Return the share of the smaller set that is in the other, in [0, 1]; 0 if one is empty."""
    smaller = min(len(first), len(second))
    return len(first & second) / smaller if smaller else 0.0


def move_focus(previous: Sequence[float], now: Sequence[float], share: float) -> list[float]:
    """Return the new focus, a unit vector: the new message with a share of the previous focus.
    `now` alone if the lengths differ (another encoder) or the two cancel out."""
    if len(previous) != len(now):
        return list(now)
    mixed = [share * before + (1.0 - share) * after for before, after in zip(previous, now, strict=True)]
    return unit(mixed) or list(now)
