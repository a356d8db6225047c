"""How much is at hand for a message: the warmth of the context, the feeling of knowing, and both as one confidence."""

from collections.abc import Sequence

from furoshiki.language.grounding.words import content_of, stems_of
from furoshiki.owner.routing.values import Knowing

WORKING_TURNS, GISTS = 4, 5
"""So many turns of this conversation, and so many thoughts of the last half hour, make a context wholly warm."""

FLOOR = 0.5
"""The share of a message's words that something recalled must hold for it to bear on the message."""

FELT = 5
"""How many of what came to mind first the feeling of knowing is about: recall always finds as many as it is asked."""

FACTS_FULL = 10.0

KNOWING, WARMTH, DENSITY = 0.4, 0.4, 0.2
NEW_TOPIC = 0.7
"""What is left of the confidence on a topic nobody has talked about."""

UNKNOWN_BELOW = 0.15
"""Below this confidence memory is searched before anybody says that they do not know something about the user."""


def judge_relevance(text: str, recalled: Sequence[str]) -> list[bool]:
    """Which of the recalled texts bear on a message: they hold half of the words that say something in it."""
    words = content_of(text)
    if not words:
        return [False] * len(recalled)
    return [len(words & stems_of(one)) >= FLOOR * len(words) for one in recalled]


def warmth(turns: int, gists: int, surroundings: bool) -> float:
    """The mean of working turns, gists and whether there are surroundings (reminders, work, words from elsewhere)."""
    return (min(turns / WORKING_TURNS, 1.0) + min(gists / GISTS, 1.0) + float(surroundings)) / 3


def assess(warm: float, bears: Sequence[bool], facts: int, *, new_topic: bool) -> Knowing:
    """How much of what a message touches is at hand. `bears` is in the order of recall, `facts` how many there are."""
    first = bears[:FELT]
    felt = sum(first) / len(first) if first else 0.0
    density = min(facts / FACTS_FULL, 1.0)
    confidence = KNOWING * felt + WARMTH * warm + DENSITY * density
    return Knowing(warm, felt, density, confidence * (NEW_TOPIC if new_topic else 1.0))
