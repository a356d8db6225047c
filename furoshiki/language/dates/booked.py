"""Compute the moment that a time expression means, on the user's wall clock.

All arithmetic is on the wall clock, converted to the user's zone last: "tomorrow at nine" is nine
whatever daylight saving does, and "in two hours" is two hours. A time skipped in spring moves on by
the gap; of a time repeated in autumn the first is meant.
"""

from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta

from furoshiki.core.timestamps import later
from furoshiki.language.dates import library
from furoshiki.language.dates.half_of_day import Person, halves, next_one, of_day
from furoshiki.language.dates.time_of_day import EVENING, NO_TIME_SAID, PARTS
from furoshiki.language.dates.values import BYDAY, Day, Hour, Rule

Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class When:
    """A moment that the user named. text[start:end] is the expression; `spans` are its pieces if
    other words lie between. `at` is aware, in the zone of the given `now`. `rule` is the RRULE
    ("FREQ=WEEKLY;BYDAY=MO") of a repetition, `at` its first time. `timed` is False if only a day
    was named (09:00 is assumed), `dated` False if only a time of day was. `past`: the moment is
    over. `zone` is the zone named in the text ("9am New York time")."""

    at: datetime
    start: int
    end: int
    rule: str | None = None
    timed: bool = True
    past: bool = False
    dated: bool = True
    zone: str | None = None
    spans: Spans = field(default=(), compare=False)
    # the same hour in the other half of the day, if it is unclear which is meant
    other: datetime | None = None
    # whether the words alone fit both halves of the day, even if the context decided
    either: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Unclear:
    """Time expressions that cannot be booked; `asks` is a sentence with the reason. `spans` are
    all of them. `unread`: some words are not understood ("or" and "not" are). `halves` are the
    two moments, earlier first, if only the half of the day is in doubt."""

    asks: str
    spans: Spans
    unread: bool = False
    halves: tuple[When, ...] = ()


def ask_half(when: When) -> Unclear:
    """Return the question which half of the day is meant by an ambiguous hour."""
    assert when.other is not None
    first, then = sorted((when.at, when.other), key=lambda at: at.time() if when.rule else at)
    ways = tuple(replace(when, at=at, other=None) for at in (first, then))
    return Unclear(f"Is that {first:%H:%M} or {then:%H:%M}", when.spans, halves=ways)


def moment(on: date, at: time, now: datetime) -> datetime:
    """Return that wall-clock time on that day in the zone of `now`; a time skipped by daylight
    saving moves on by the gap."""
    aware = datetime.combine(on, at).replace(tzinfo=now.tzinfo)
    return aware.astimezone(UTC).astimezone(now.tzinfo)


def book_repeat(
    rule: Rule, day: Day | None, hour: Hour | None, part: str | None, now: datetime, shape: When, person: Person
) -> When | None:
    """Return the first time of a repetition; None if it does not fall on the day named with it."""
    if rule.after is not None and hour is None and day is None and part is None:
        return replace(shape, at=later(now, rule.after).astimezone(now.tzinfo), rule=rule.rule)
    times: tuple[time, ...] = (NO_TIME_SAID,)
    if hour is not None:
        times = halves(hour, part)
    elif part:
        times = (PARTS[part],)
    if hour is not None and len(times) > 1:
        meant = of_day([moment(now.date() + timedelta(days=1), one, now) for one in times], hour, person)
        ways = (meant.at, meant.other) if meant.other else (meant.at,)
        times = tuple(one.timetz().replace(tzinfo=None) for one in ways)
    firsts = [_first(rule, day, at, now, shape) for at in times]
    first = firsts[0] if firsts else None
    if first is None:
        return None
    other = firsts[1].at if len(firsts) > 1 and firsts[1] is not None else None
    return replace(first, timed=hour is not None or part is not None, other=other)


def _first(rule: Rule, day: Day | None, at: time, now: datetime, shape: When) -> When | None:
    text = rule.rule if day is None else _anchor_rule(rule.rule, day.on)
    since = day.on if day is not None else now.date()
    first = library.first_of(text, since, lambda on: moment(on, at, now) > now)
    if first is None or (day is not None and first != day.on):
        return None
    return replace(shape, at=moment(first, at, now), rule=text)


def _anchor_rule(rule: str, on: date) -> str:
    """Tie a rule to the day named with it: "every month" and "on the 1st"."""
    if rule.startswith("FREQ=WEEKLY") and "BYDAY" not in rule:
        return f"{rule};BYDAY={BYDAY[on.weekday()]}"
    if rule.startswith("FREQ=MONTHLY") and "BY" not in rule:
        return f"{rule};BYMONTHDAY={on.day}"
    return rule


def that_day(day: Day, hour: Hour | None, part: str | None, now: datetime, shape: When, person: Person) -> When:
    """Return that day, at the time that was named or is likely."""
    if hour is None:
        at = PARTS[part] if part else NO_TIME_SAID
        if day.on == now.date() and part is None:
            # "today" without a time: in a while, and never in the past
            soon = later(now, timedelta(hours=1)).astimezone(now.tzinfo).replace(second=0, microsecond=0)
            return replace(shape, at=soon, timed=False)
        return _settle_day(moment(day.on, at, now), day, now, replace(shape, timed=part is not None))
    # "Friday night at 1" is Saturday's one, "завтра в 3 часа ночи" tomorrow's three
    later_night = part == "night" and (hour.part is None or moment(day.on, hour.at, now) <= now)
    candidates = [_with_midnight(day.on, at, later_night, now) for at in halves(hour, part)]
    ahead = [at for at in candidates if at > now]
    shape = replace(shape, either=len(candidates) > 1)
    if shape.either and (len(ahead) > 1 or not day.fixed):  # "Tuesday at 9" is next week's, said on a Tuesday at 3 pm
        meant = of_day(candidates, hour, person)
        return _settle_day(meant.at, day, now, replace(shape, other=meant.other if len(ahead) > 1 else None))
    return _settle_day(ahead[0] if ahead else candidates[-1], day, now, shape)


def _with_midnight(on: date, at: time, later_night: bool, now: datetime) -> datetime:
    """Return the moment; "Friday at midnight" and "tonight at 1" are on the following day."""
    late = at == time(0) or (later_night and at < time(5))
    return moment(on + timedelta(days=1) if late else on, at, now)


def _settle_day(at: datetime, day: Day, now: datetime, shape: When) -> When:
    """Move a weekday in the past to the next one; mark a fixed day in the past."""
    if at <= now and not day.fixed:
        at = moment(at.date() + timedelta(days=7), at.time(), now)
    return replace(shape, at=at, past=at <= now)


def today_or_tomorrow(hour: Hour | None, part: str | None, now: datetime, shape: When, person: Person) -> When:
    """Return the next time the clock shows an hour (or part of the day) named without a day."""
    times = halves(hour, part) if hour else (PARTS.get(part or "morning", EVENING),)
    coming = [_next(at, now) for at in times]
    if hour is None or len(coming) == 1:
        return replace(shape, at=coming[0])
    meant = next_one(coming, now, hour, person)
    return replace(shape, at=meant.at, other=meant.other, either=True)


def _next(at: time, now: datetime) -> datetime:
    """Return the next moment at which the clock shows a time."""
    days = (moment(now.date() + timedelta(days=days), at, now) for days in range(3))
    return next(day for day in days if day > now)
