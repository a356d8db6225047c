"""Parser of `/quiet`: for how long, until when, or between which hours of every day."""

import re
from dataclasses import dataclass
from datetime import datetime, time, timedelta, tzinfo

from furoshiki.core.catalogue import later, say
from furoshiki.language.humanize import clock

LONGEST_HOURS = 24.0 * 30


@dataclass(frozen=True)
class For:
    """Quiet for so many hours from now on."""

    hours: float


@dataclass(frozen=True)
class Until:
    """Quiet until then, in the user's words: "tomorrow", "18:00"."""

    when: str


@dataclass(frozen=True)
class Hours:
    """Quiet between these times of every day; None leaves that end unchanged."""

    since: time | None
    until: time | None


@dataclass(frozen=True)
class NoHours:
    """Remove the daily quiet hours."""


@dataclass(frozen=True)
class Off:
    """End the quiet."""


@dataclass(frozen=True)
class Shown:
    """Show the present state."""


@dataclass(frozen=True)
class Planned:
    """A period of quiet that begins later (aware); `weekly`: it returns every week, and these are
    its next or present ends."""

    begins: datetime
    until: datetime
    weekly: bool


Asked = For | Until | Hours | NoHours | Off | Shown

_SPAN = re.compile(
    r"(?P<count>\d+(?:[.,]\d+)?)\s*(?P<unit>m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|d(?:ays?)?)?", re.IGNORECASE
)
_TIME = r"(\d{1,2})(?:[:.](\d\d))?\s{0,2}(am|pm|a\.m\.|p\.m\.|uhr|o'clock)?"
_BETWEEN = re.compile(rf"{_TIME}\s{{0,2}}(?:-|–|to|until|till|bis|and)\s{{0,2}}{_TIME}")
_OPEN = re.compile(rf"(before|after)\s{{1,2}}{_TIME}")
_LEADING = re.compile(r"(?:(?:for|from|between|hours)\b\s{0,2})+")
_OFF = frozenset({"off", "end", "stop", "no"})


def parse_request(words: str) -> Asked | None:
    """Parse the words after `/quiet`; None if not understood, or over 30 days."""
    text = " ".join(words.lower().split())[:80]
    if text in _OFF:
        return Off()
    if text in ("status", "hours"):
        return Shown()
    if text.startswith("hours ") and text[6:] in _OFF:
        return NoHours()
    if text.startswith(("until ", "till ")):
        return Until(text.partition(" ")[2])
    bare = _LEADING.sub("", text, count=1)
    if (match := _BETWEEN.fullmatch(bare)) is not None:
        since, until = _time(*match.groups()[:3]), _time(*match.groups()[3:])
        return None if since is None or until is None else Hours(since, until)
    if (match := _OPEN.fullmatch(bare)) is not None:
        at = _time(*match.groups()[1:])
        if at is None:
            return None
        return Hours(None, at) if match[1] == "before" else Hours(at, None)
    hours = hours_in(bare)
    return None if hours is None else For(hours)


def hours_in(text: str) -> float | None:
    """Return the hours of "3", "3h", "90 min", "2 days"; None if not understood or over 30 days."""
    match = _SPAN.fullmatch(text.strip().removeprefix("for ").strip())
    if match is None:
        return None
    factor = {"m": 1 / 60, "h": 1.0, "d": 24.0}[(match["unit"] or "h")[0].lower()]
    hours = float(match["count"].replace(",", ".")) * factor
    return hours if 0 < hours <= LONGEST_HOURS else None


def _time(hour: str, minute: str | None, half: str | None) -> time | None:
    """Return a time of day, or None if it does not exist."""
    number, minutes = int(hour), int(minute or 0)
    if half is not None and half[0] in "ap":
        if not 1 <= number <= 12:
            return None
        number = number % 12 + (12 if half[0] == "p" else 0)
    if number <= 24 and minutes < 60 and (number, minutes) <= (24, 0):
        return time(number % 24, minutes)
    return None


# -- answers, with the end of the quiet in the user's time zone --


_ON_DAYS = (
    later("on Mondays"),
    later("on Tuesdays"),
    later("on Wednesdays"),
    later("on Thursdays"),
    later("on Fridays"),
    later("on Saturdays"),
    later("on Sundays"),
)


_LONG = timedelta(days=2)
# how a period of several days of every week is called, by its first weekday
_SEVERAL_DAYS = {0: later("from Monday to Friday"), 5: later("at weekends")}


def describe_quiet(until: datetime, zone: tzinfo, now: datetime, guessed: bool = False) -> str:
    """Return the confirmation of a quiet; `guessed`: the user named no end."""
    words = say(
        "I won't write first until {when}. I'll still answer you, and reminders still come. /quiet off ends it.",
        when=clock(until, zone, now),
    )
    if not guessed:
        return words
    return f"{words} {say('You did not say until when, so I picked a time; change it whenever you like.')}"


def say_period(period: Planned, zone: tzinfo, now: datetime, *, several: bool = False) -> str:
    """Return the ends of a quiet that begins later: "on Sundays until 12:00". `several`: it is the first
    of those on the days from Monday to Friday, or at weekends."""
    begins, ends = period.begins.astimezone(zone), period.until.astimezone(zone)
    if not period.weekly:
        since, until = clock(begins, zone, now), clock(ends, zone, now)
        return say("from {since} until {until}", since=since, until=until)
    if ends - begins > _LONG:
        return say(_SEVERAL_DAYS[begins.weekday()])
    days, since, until = say(_ON_DAYS[begins.weekday()]), f"{begins:%H:%M}", f"{ends:%H:%M}"
    if several:
        days = say(_SEVERAL_DAYS[begins.weekday()])
    overnight, all_night = ends.date() != begins.date(), begins.time() == time()
    if overnight and all_night:
        return days
    if overnight:
        return say("{days} from {since}", days=days, since=since)
    if all_night:
        return say("{days} until {until}", days=days, until=until)
    return say("{days} from {since} until {until}", days=days, since=since, until=until)


def describe_planned(period: str) -> str:
    """Return the confirmation of a quiet that begins later."""
    return say(
        "I won't write first {period}. I'll still answer you, and reminders still come. /quiet off ends it.",
        period=period,
    )


def over() -> str:
    """Return the confirmation that the quiet is over."""
    return say("I may write first again.")
