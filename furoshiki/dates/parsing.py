"""When a phrase means: "on Sunday at six", "in 20 minutes", "every Monday at 9", "завтра в 9", "am 24.12. um 18 Uhr".

The one way in which the program reads a time that lies ahead. The words of time are recognised first (`tokens`),
runs of them are made sense of (`grammar`), and the calendar is left to the libraries (`library`). Which of
the times said are meant is decided in `said_times`, the moment they mean in `booked`. Whose clocks are meant (`zones`)
and until when something repeats (`bounds`) is found before that. A word of time that nothing
could read is not passed over: `reading` then answers what to ask, because a reminder is never booked on a guess.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import cast

from furoshiki.dates import bounds, zones
from furoshiki.dates.booked import Spans, Unclear, When, halves, moment
from furoshiki.dates.habits import ENGLISH, Habits
from furoshiki.dates.said_times import Reading
from furoshiki.dates.tokens import LONGEST, TONGUES

__all__ = ["FURTHEST", "Spans", "Unclear", "When", "halves", "moment", "read", "reading", "without"]

FURTHEST = timedelta(days=366 * 10)


def reading(text: str, now: datetime, habits: Habits = ENGLISH) -> When | Unclear | None:
    """The moment (or repetition) a text asks for, seen from `now` (aware, in the user's zone); `Unclear` when words of
    time remain that were not read, or mean more than one thing; None when it names no time."""
    elsewhere = zones.found(text[:LONGEST])
    if elsewhere is not None:
        there = _elsewhere(text[:LONGEST], elsewhere, now, habits)
        if there is not None:
            return there
    bounds_said = bounds.found(text[:LONGEST], now, habits)
    if bounds_said:
        rest, places = bounds.without(text[:LONGEST], bounds_said)
        whole = _strictly(rest, bounds.begins(bounds_said, now), habits)
        bound = bounds.applied(whole, bounds_said, places) if isinstance(whole, When) and whole.rule else None
        if bound is not None:
            return bound
    return _strictly(text, now, habits)


def read(text: str, now: datetime, habits: Habits = ENGLISH) -> When | None:
    """The first moment (or repetition) named in a text that books nothing; None where it is not clear."""
    found = _best(text, now, habits)
    return None if found is None else found.loosely()


def _strictly(text: str, now: datetime, habits: Habits) -> When | Unclear | None:
    found = _best(text, now, habits)
    if found is None:
        return None
    merged = found.strictly()
    if isinstance(merged, When) and merged.at - now > FURTHEST:
        return Unclear("That is more than ten years away", merged.spans)
    return merged


def _elsewhere(text: str, said: zones.Said, now: datetime, habits: Habits) -> When | Unclear | None:
    """What is read by the clocks of another place; None where the words name no time of day that is that place's."""
    rest = text[: said.start] + text[said.end :]
    zone = said.zone
    if zone is None:
        found = reading(rest, now, habits)
        return Unclear(said.asks, ((said.start, said.end),)) if isinstance(found, When) and said.asks else None
    found = reading(rest, now, habits)
    if not isinstance(found, When) or not found.timed:
        return None
    if found.dated and found.rule is None:  # the day is the user's, the time of day that of the clocks there
        at = moment(found.at.date(), found.at.timetz().replace(tzinfo=None), now.astimezone(zone))
        found = replace(found, at=at, past=at <= now)
    else:
        found = cast(When, reading(rest, now.astimezone(zone), habits))
    gone = said.end - said.start
    moved = [
        (at if at <= said.start else at + gone, end if end < said.start else end + gone) for at, end in found.spans
    ]
    return replace(
        found,
        at=found.at.astimezone(now.tzinfo),
        spans=tuple(moved),
        start=moved[0][0],
        end=moved[-1][1],
        zone=str(zone),
    )


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
