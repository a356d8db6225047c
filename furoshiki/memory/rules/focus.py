"""What a conversation was about a moment ago, and how much of that still colours what comes to mind."""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from furoshiki.core.similarity import unit
from furoshiki.language.words import asks, count_words

CARRIED = 0.3
"""How much of the previous focus bleeds into the next one."""

CARRIED_AFTER_SHIFT = 0.05
SHIFT = 0.7
"""Above this distance (1 − cosine) the subject has changed."""


IDLE_WORDS = 8
"""A message of more words than this wants something to be understood; a shorter one may be idle talk."""

_ASKS = re.compile(
    r"^\W*(?:who|whom|whose|what|when|where|why|how|which|is|are|am|was|were|do|does|did|can|could|will|would|shall|"
    r"should|may|have|has|had|tell|show|find|remind|give|say|list|add|set|help|please)\b",
    re.IGNORECASE,
)


def drifts(text: str, share: float) -> bool:
    """Whether the talk drifts: a few words that ask for nothing, and are about something else than the ones before.

    `share` is how much of the previous focus is carried on (see `compute_share`); nothing drifts away from no focus.
    """
    idle = 0 < count_words(text) <= IDLE_WORDS and not asks(text) and _ASKS.search(text.strip()) is None
    return idle and share == CARRIED_AFTER_SHIFT


def compute_share(likeness: float) -> float:
    """The share of the previous focus, from how alike the new words are to it (a cosine)."""
    return CARRIED_AFTER_SHIFT if 1.0 - likeness > SHIFT else CARRIED


def overlap(one: AbstractSet[str], other: AbstractSet[str]) -> float:
    """How much of the smaller set of words stands in the other one, in [0, 1]; 0 when either is empty."""
    smaller = min(len(one), len(other))
    return len(one & other) / smaller if smaller else 0.0


def move_focus(previous: Sequence[float], now: Sequence[float], share: float) -> list[float]:
    """The new focus, of length 1: what is said now, with a share of what was before. `now` alone when they differ in
    length (another encoder) or cancel each other out."""
    if len(previous) != len(now):
        return list(now)
    mixed = [share * before + (1.0 - share) * after for before, after in zip(previous, now, strict=True)]
    return unit(mixed) or list(now)
