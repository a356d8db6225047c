"""When a phrase means: "on Sunday at six", "in 20 minutes", "every Monday at 9", "завтра в 9", "am 24.12. um 18 Uhr".

The one way in which the program reads a time that lies ahead. The words of time are recognised first (`tokens`),
runs of them are made sense of (`grammar`), and the calendar is left to the libraries (`library`). Which of
the times said are meant is decided in `said_times`, the moment they mean in `booked`. A word of time that nothing
could read is not passed over: `reading` then answers what to ask, because a reminder is never booked on a guess.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from furoshiki.dates.booked import Spans, Unclear, When, halves, moment
from furoshiki.dates.habits import ENGLISH, Habits
from furoshiki.dates.said_times import Reading
from furoshiki.dates.tokens import LONGEST, TONGUES

__all__ = ["FURTHEST", "Spans", "Unclear", "When", "halves", "moment", "read", "reading", "without"]

FURTHEST = timedelta(days=366 * 10)


def reading(text: str, now: datetime, habits: Habits = ENGLISH) -> When | Unclear | None:
    """The moment (or repetition) a text asks for, seen from `now` (aware, in the user's zone); `Unclear` when words of
    time remain that were not read, or mean more than one thing; None when it names no time."""
    found = _best(text, now, habits)
    if found is None:
        return None
    merged = found.strictly()
    if isinstance(merged, When) and merged.at - now > FURTHEST:
        return Unclear("That is more than ten years away", merged.spans)
    return merged


def read(text: str, now: datetime, habits: Habits = ENGLISH) -> When | None:
    """The first moment (or repetition) named in a text that books nothing; None where it is not clear."""
    found = _best(text, now, habits)
    return None if found is None else found.loosely()


def without(text: str, spans: Spans) -> str:
    """The text without those pieces."""
    kept, at = [], 0
    for start, end in sorted(spans):
        kept.append(text[at:start])
        at = max(at, end)
    return " ".join([*kept, text[at:]])


def _best(text: str, now: datetime, habits: Habits) -> Reading | None:
    """The reading in the language that reads the most of the text."""
    if now.tzinfo is None:
        raise ValueError("`now` must be aware, in the user's zone")
    text = text[:LONGEST]
    readings = [Reading(text, now, tongue, habits.order) for tongue in habits.tongues]
    others = [Reading(text, now, one, habits.order) for one in TONGUES if one not in habits.tongues]
    readings += [one for one in others if one.own_words]
    best = max(readings, key=lambda one: one.weight)
    return best if best.tokens and (best.components or best.unread_alone) else None
