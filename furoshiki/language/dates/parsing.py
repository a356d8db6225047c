"""Parse when a phrase means: "on Sunday at six", "every Monday at 9", "завтра в 9".

The only parser of future times. Zones (`zones`) and bounds (`bounds`) are found first. Then time
words are recognized (`tokens`) and grouped (`grammar`) with the calendar libraries (`library`).
`said_times` selects the times meant, `half_of_day` the half of the day, and `booked` computes the
moment. An unread time word yields a question, because a reminder is never booked on a guess.
"""

import functools
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo

from furoshiki.core.timestamps import later
from furoshiki.language.dates import bounds, chinese, lead_times, recurrence, zones
from furoshiki.language.dates.booked import Spans, Unclear, When, ask_half, moment
from furoshiki.language.dates.habits import ENGLISH, Habits
from furoshiki.language.dates.said_times import Reading
from furoshiki.language.dates.tokens import LONGEST, TONGUES
from furoshiki.language.word_tables import by_language, pattern

__all__ = ["FURTHEST", "Spans", "Unclear", "When", "moment", "read", "parse_when", "without"]

FURTHEST = timedelta(days=366 * 10)


def parse_when(text: str, now: datetime, habits: Habits = ENGLISH, deed: str = "") -> When | Unclear | None:
    """Return the moment (or repetition) a text asks for, seen from `now` (aware, in the user's
    zone); `Unclear` if time words are unread or ambiguous; None if no time is named. `deed` is
    the task if the text does not name it: it decides morning or evening."""
    return _parse(_without_age(text[:LONGEST]), now, (now.tzinfo, now.fold), habits, deed)


_AGE = re.compile(pattern(by_language("ages")["en"]["turning"]), re.IGNORECASE)


def _without_age(text: str) -> str:
    """Return the text with blanks for the age that somebody turns on a day: "wird am 4. Juni 6" names no hour."""
    return _AGE.sub(lambda said: said["turns"] + " " * len(said["age"]), text)


@functools.lru_cache(maxsize=128)  # several rules parse the same words
def _parse(
    text: str, now: datetime, _clock: tuple[tzinfo | None, int], habits: Habits, deed: str
) -> When | Unclear | None:
    """Parse with a cache; `_clock` distinguishes equal moments written differently."""
    for ahead in lead_times.list_before(text):
        if (earlier := _before(text, ahead, now, habits, deed)) is not None:
            return earlier
    if (chinese_said := chinese.put_into_english(text)) is not None:
        return _in_chinese(chinese_said, now, habits, deed or text)
    elsewhere = zones.find_clocks(text)
    if elsewhere is not None:
        there = _elsewhere(text, elsewhere, now, habits, deed)
        if there is not None:
            return there
    bounds_said = bounds.find_bounds(text, now, habits)
    if bounds_said:
        rest, places = bounds.without(text, bounds_said)
        whole = _strictly(rest, bounds.begins(bounds_said, now), habits, deed)

        def bounded(when: When) -> When | Unclear | None:
            return bounds.apply_bounds(when, bounds_said, places) if when.rule else None

        bound = _each(whole, bounded)
        if bound is not None:
            return bound
    return _strictly(text, now, habits, deed)


def _in_chinese(english: chinese.InEnglish, now: datetime, habits: Habits, deed: str) -> When | Unclear | None:
    """Return the meaning of Chinese times, with spans in the Chinese text."""
    when = parse_when(english.words, now, replace(habits, tongues=("en",)), deed)
    if isinstance(when, When):
        return replace(when, spans=english.spans, start=english.spans[0][0], end=english.spans[-1][1])
    return None if when is None else replace(when, spans=english.spans)


def _before(text: str, said: lead_times.Before, now: datetime, habits: Habits, deed: str) -> When | Unclear | None:
    """Return the lead time before the time that the rest names; None if it names none."""
    blank = " " * (said.end - said.start)
    event = parse_when(text[: said.start] + blank + text[said.end :], now, habits, deed)
    counted = parse_when(said.ahead, now, habits)
    if not isinstance(counted, When) or counted.at <= now:
        return None

    def earlier(when: When) -> When | Unclear:
        spans = tuple(sorted((*when.spans, (said.start, said.end))))
        if counted.timed and not when.timed:
            return Unclear("At what time is that", spans)
        if when.rule and (shifted := _ahead_of_each(when, counted, now)) is not None:
            return replace(shifted, spans=spans, start=spans[0][0], end=spans[-1][1])
        if when.rule:
            return Unclear("I cannot count back from something that comes again and again", spans)
        days = timedelta(days=0 if counted.timed else (counted.at.date() - now.date()).days)
        at = moment((when.at - days).date(), when.at.timetz().replace(tzinfo=None), now)
        at = later(at, now - counted.at) if counted.timed else at
        at = at.astimezone(now.tzinfo)
        return replace(when, at=at, past=at <= now, spans=spans, start=spans[0][0], end=spans[-1][1])

    return _each(event, earlier)


def _ahead_of_each(when: When, counted: When, now: datetime) -> When | None:
    """Return the lead time before each time of a daily or weekly repetition; None before others."""
    ahead = counted.at - now
    if not counted.timed:
        ahead = timedelta(days=(counted.at.date() - now.date()).days)
    wall = when.at.replace(tzinfo=None) - ahead
    return repeat_at(when, moment(wall.date(), wall.time(), now), now)


def repeat_at(when: When, first: datetime, now: datetime) -> When | None:
    """Return a daily or weekly repetition from another first time on, still ahead; None for others."""
    rule = recurrence.move_days(when.rule or "", (first.date() - when.at.date()).days)
    if rule is None or now.tzinfo is None:
        return None
    at = first if first > now else recurrence.find_next(rule, first, now, now.tzinfo)
    return None if at is None else replace(when, at=at.astimezone(now.tzinfo), rule=rule)


def _each(reading: When | Unclear | None, change: Callable[[When], When | Unclear | None]) -> When | Unclear | None:
    """Apply a function to a moment, or to both of a question; None if that yields nothing."""
    if isinstance(reading, When):
        return change(reading)
    both = [time for half in (reading.halves if reading else ()) if isinstance(time := change(half), When)]
    return ask_half(replace(both[0], other=both[1].at)) if len(both) == 2 else None


def read(text: str, now: datetime, habits: Habits = ENGLISH) -> When | None:
    """Return the first moment (or repetition) in a text that books nothing; None if unclear."""
    if (english := chinese.put_into_english(text[:LONGEST])) is not None:
        whole = _in_chinese(english, now, habits, "")
        likely = whole.halves[-1] if isinstance(whole, Unclear) and whole.halves else whole
        return replace(likely, spans=english.spans) if isinstance(likely, When) else None
    reading = _best(_without_age(text), now, habits)
    return None if reading is None else reading.loosely()


def _strictly(text: str, now: datetime, habits: Habits, deed: str = "") -> When | Unclear | None:
    reading = _best(text, now, habits, deed)
    if reading is None:
        return None
    merged = reading.strictly()
    if isinstance(merged, When) and merged.at - now > FURTHEST:
        return Unclear("That is more than ten years away", merged.spans)
    return merged


def _elsewhere(text: str, said: zones.Said, now: datetime, habits: Habits, deed: str) -> When | Unclear | None:
    """Return the reading by another place's clocks; None if no time of day there is named."""
    rest, zone = text[: said.start] + text[said.end :], said.zone
    found = parse_when(rest, now, habits, deed)
    if zone is None:
        return Unclear(said.asks, ((said.start, said.end),)) if isinstance(found, When) and said.asks else None
    likely = found.halves[0] if isinstance(found, Unclear) and found.halves else found
    if not isinstance(likely, When) or not likely.timed:
        return None
    of_ours = likely.dated and likely.rule is None  # the day is in the user's zone, the hour in the other
    if not of_ours:
        found = parse_when(rest, now.astimezone(zone), habits, deed)
    gone = said.end - said.start

    def moved(when: When) -> When:
        at = moment(when.at.date(), when.at.timetz().replace(tzinfo=None), now.astimezone(zone)) if of_ours else when.at
        spans = tuple(
            (start if start <= said.start else start + gone, end if end < said.start else end + gone)
            for start, end in when.spans
        )
        return replace(
            when,
            at=at.astimezone(now.tzinfo),
            past=at <= now,
            spans=spans,
            start=spans[0][0],
            end=spans[-1][1],
            zone=str(zone),
        )

    return _each(found, moved)


def without(text: str, spans: Spans) -> str:
    """Return the text without the spans."""
    parts, at = [], 0
    for start, end in sorted(spans):
        parts.append(text[at:start])
        at = max(at, end)
    return " ".join([*parts, text[at:]])


_MY = re.compile(r"\bmon\b(?= [^\W\d])", re.IGNORECASE)  # "mon anniversaire" is not on Monday


def _best(text: str, now: datetime, habits: Habits, deed: str = "") -> Reading | None:
    """Return the reading in the language that reads most of the text."""
    if now.tzinfo is None:
        raise ValueError("`now` must be aware, in the user's zone")
    text = text[:LONGEST]
    tongues = [tongue for tongue in habits.tongues if tongue in TONGUES]  # Chinese has no table
    if tongues[:1] == ["fr"]:
        text = _MY.sub("   ", text)
    readings = [Reading(text, now, tongue, habits, deed) for tongue in tongues or TONGUES[:1]]
    others = [Reading(text, now, one, habits, deed) for one in TONGUES if one not in habits.tongues]
    readings += [reading for reading in others if reading.own_words]
    best = max(readings, key=lambda one: one.weight)
    return best if best.tokens and (best.components or best.unread_alone) else None
