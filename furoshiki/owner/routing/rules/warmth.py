"""The context of a message: its warmth, the feeling of knowing, a combined confidence."""

from collections.abc import Sequence

from furoshiki.language.grounding.words import content_of, stems_of
from furoshiki.owner.routing.values import Knowing

WORKING_TURNS, GISTS = 4, 5
"""Turns of the conversation, and gists of the last half hour, for full warmth."""

FLOOR = 0.5
"""The share of a message's words that a recalled text must contain to be relevant."""

FELT = 5
"""The first recalled texts that count for the feeling of knowing; recall always fills its limit."""

FACTS_FULL = 10.0

KNOWING, WARMTH, DENSITY = 0.4, 0.4, 0.2
NEW_TOPIC = 0.7
"""The factor on the confidence for a new topic."""

UNKNOWN_BELOW = 0.15
"""Below this confidence memory is searched before saying that a fact about the user is unknown."""


def judge_relevance(text: str, recalled: Sequence[str]) -> list[bool]:
    """Return for each recalled text whether it contains half of the message's content words."""
    words = content_of(text)
    if not words:
        return [False] * len(recalled)
    return [len(words & stems_of(one)) >= FLOOR * len(words) for one in recalled]


def warmth(turns: int, gists: int, surroundings: bool) -> float:
    """Return the mean of turns, gists and surroundings (reminders, work, …), in [0, 1]."""
    return (min(turns / WORKING_TURNS, 1.0) + min(gists / GISTS, 1.0) + float(surroundings)) / 3


def assess(warm: float, bears: Sequence[bool], facts: int, *, new_topic: bool) -> Knowing:
    """Rate the available knowledge about a message. `bears` is in order of recall."""
    first = bears[:FELT]
    felt = sum(first) / len(first) if first else 0.0
    density = min(facts / FACTS_FULL, 1.0)
    confidence = KNOWING * felt + WARMTH * warm + DENSITY * density
    return Knowing(warm, felt, density, confidence * (NEW_TOPIC if new_topic else 1.0))
