"""Whether a message strays from the topic that the user set out to focus on."""

from collections.abc import Sequence
from datetime import datetime

from furoshiki.core.similarity import cosine
from furoshiki.language.grounding.words import content_of, stems_of

LEAST_WORDS = 2  # a message with fewer content words ("ok", "thanks, done") never strays

# The cosine to the topic below which a message strays. Of ten messages for each of three topics,
# the seven about other things had 0.21 at most, those about the topic 0.35 and more.
ELSEWHERE = 0.22


def strays(topic: str, topic_vector: Sequence[float], said: str, said_vector: Sequence[float]) -> bool:
    """Whether `said` is clearly about another subject. Without vectors only words are compared, and
    only a message with many content words and none in common strays."""
    words = content_of(said)
    about = content_of(topic)
    if not about or len(words) < LEAST_WORDS or words & about or stems_of(said) & about:
        return False
    if topic_vector and len(topic_vector) == len(said_vector):
        return cosine(topic_vector, said_vector) < ELSEWHERE
    return len(words) >= 2 * LEAST_WORDS


def minutes(until: datetime, now: datetime) -> int:
    """Return the minutes left of a session, rounded, at least one."""
    return max(1, round((until - now).total_seconds() / 60))
