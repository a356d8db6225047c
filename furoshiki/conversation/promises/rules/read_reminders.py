"""What a model made of words that asked for a reminder, and what of it is believed.

A model may misread, and its answer would ring. So the time must lie ahead, the words of the title must be words that
were said, and a rhythm must be one that can be kept; whatever is not so is asked about as if no model had read it.
"""

from datetime import datetime, timedelta

from furoshiki.language.dates import recurrence
from furoshiki.language.dates.habits import Habits
from furoshiki.language.dates.parsing import FURTHEST, When
from furoshiki.language.dates.time_changes import parse_time
from furoshiki.language.reflex.reminders.values import Remind
from furoshiki.language.words import RUN, fold

SHORTEST = timedelta(hours=1)
"""Between two times of a rhythm that a model read out of words."""


def build_reminder(title: str, when: str, rhythm: str, said: str, now: datetime, habits: Habits) -> Remind | None:
    """The reminder that was read out of what was `said`; None for one that is not believed. `now` is aware, in the
    user's zone."""
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
