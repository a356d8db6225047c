"""Validate a reminder that a model read from a request.

A model may misread, and the result would ring. The time must be in the future, the title's words
must occur in the request, and a recurrence must be valid; otherwise the user is asked.
"""

from datetime import datetime, timedelta

from furoshiki.language.dates import recurrence
from furoshiki.language.dates.habits import Habits
from furoshiki.language.dates.parsing import FURTHEST, When
from furoshiki.language.dates.time_changes import parse_time
from furoshiki.language.reflex.reminders.values import Remind
from furoshiki.language.words import RUN, fold

SHORTEST = timedelta(hours=1)
"""Minimum interval of a recurrence read by a model."""


def build_reminder(title: str, when: str, rhythm: str, said: str, now: datetime, habits: Habits) -> Remind | None:
    """Return the reminder in `said`; None when rejected. `now` is in the user's zone."""
    title = " ".join(title.split())
    if not title or not _words(title) <= _words(said):
        return None
    found = parse_time(when, now, habits)
    if not isinstance(found, When) or not now < found.at <= now + FURTHEST:
        return None
    rule = rhythm.strip() or None
    if rule is not None and not _can_be_kept(rule, found.at, now):
        return None
    return Remind(title, When(found.at, 0, 0, rule))


def _words(text: str) -> frozenset[str]:
    return frozenset(fold(word) for word in RUN.findall(text))


def _can_be_kept(rule: str, first: datetime, now: datetime) -> bool:
    assert now.tzinfo is not None
    try:
        recurrence.find_next(rule, first, now, now.tzinfo)
        return recurrence.closest(rule, first, now.tzinfo) >= SHORTEST
    except ValueError:
        return False
