"""Whether a message is about something else than what its writer set out to focus on."""

from collections.abc import Sequence
from datetime import datetime

from furoshiki.core.similarity import cosine
from furoshiki.language.grounding.words import content_of, stems_of

LEAST_WORDS = 2
"""A message with fewer words that say something ("ok", "thanks, done") strays nowhere."""

ELSEWHERE = 0.22
"""Below this cosine with the topic a message is about something else. Of ten messages beside three topics, the seven
about something else had 0.21 at most, those about the topic 0.35 and more."""


def strays(topic: str, topic_vector: Sequence[float], said: str, said_vector: Sequence[float]) -> bool:
    """Whether what is `said` is clearly about something else. Where nobody can make vectors, words alone are compared,
    and only a message without any in common with the topic strays that says a good deal."""
    words = content_of(said)
    about = content_of(topic)
    if not about or len(words) < LEAST_WORDS or words & about or stems_of(said) & about:
        return False
    if topic_vector and len(topic_vector) == len(said_vector):
        return cosine(topic_vector, said_vector) < ELSEWHERE
    return len(words) >= 2 * LEAST_WORDS


def minutes(until: datetime, now: datetime) -> int:
    """How many minutes are left of a session, rounded, at least one."""
    return max(1, round((until - now).total_seconds() / 60))


def export_session(topic: str, until: datetime, now: datetime, *, strayed: bool) -> dict[str, object]:
    """A session, as shown to a mind."""
    return {"topic": topic, "left": minutes(until, now), "strayed": strayed}
