"""Format counts, times and lists for people, and shorten long lines."""

import re
from collections.abc import Sequence
from datetime import date as Day
from datetime import datetime, tzinfo

from furoshiki.core import timestamps
from furoshiki.core.catalogue import ENGLISH, format_number, say, say_number, speaking
from furoshiki.core.timestamps import name_day
from furoshiki.language.tables.calendar_names import MONTHS, WEEKDAYS


def ago(at: datetime | str, now: datetime) -> str:
    """Format the time since a moment: "just now", "12 minutes ago", "3 hours ago", "5 days ago"."""
    moment = timestamps.parse(at) if isinstance(at, str) else at
    minutes = int((now - moment).total_seconds() // 60)
    if minutes < 2:
        return say("just now")
    if minutes < 60:
        return say("{number} minutes ago", number=minutes)
    if minutes < 48 * 60:
        return say_number("{number} hour ago", "{number} hours ago", minutes // 60)
    return say("{number} days ago", number=minutes // (24 * 60))


def last(at: datetime | str, now: datetime) -> str:
    """Format when something last happened: "last 3 hours ago", or "just now"."""
    since = ago(at, now)
    return since if since == say("just now") else say("last {since}", since=since)


def figure(value: float) -> str:
    """Format a number to one decimal, omitting ".0": "1.5", "13"."""
    tenths = round(10 * value)
    return format_number(tenths / 10, ",.1f" if tenths % 10 else ",.0f")


def dollars(usd: float) -> str:
    """Format a sum: "$1.20"; below ten cents with up to four decimals ("$0.0042"), so that it does
    not look like nothing."""
    cents = abs(usd) >= 0.1 or round(usd, 4) == round(usd, 2)
    return say("${amount}", amount=format_number(usd, ",.2f" if cents else ".4f"))


def day(at: datetime, zone: tzinfo) -> str:
    """Format a day in the user's time zone: "21 November 2026"."""
    return date(timestamps.local(at, zone), with_year=True)


def weekday(local: datetime) -> str:
    """Return the name of the weekday: "Friday"."""
    return say(WEEKDAYS[local.weekday()].capitalize())


def date(local: Day, with_year: bool) -> str:
    """Format a date: "27 November", or with its year "27 November 2026"."""
    month = say(MONTHS[local.month - 1].capitalize())
    if with_year:
        return say("{day} {month} {year}", day=local.day, month=month, year=local.year)
    return say("{day} {month}", day=local.day, month=month)


def clock(at: datetime, zone: tzinfo, now: datetime) -> str:
    """Format a time: "today at 18:00", "Friday, 27 November at 09:00" (year if not this one)."""
    local, today = timestamps.local(at, zone), timestamps.local(now, zone)
    time = local.strftime("%H:%M")
    match (local.date() - today.date()).days:
        case -1:
            return say("yesterday at {time}", time=time)
        case 0:
            return say("today at {time}", time=time)
        case 1:
            return say("tomorrow at {time}", time=time)
    named = date(local, with_year=local.year != today.year)
    return say("{weekday}, {date} at {time}", weekday=weekday(local), date=named, time=time)


def describe_moment(at: datetime, zone: tzinfo) -> str:
    """Format a moment in full in a time zone: "Saturday, 21 November 2026, 21:40"."""
    local = timestamps.local(at, zone)
    named, time = date(local, with_year=True), local.strftime("%H:%M")
    return say("{weekday}, {date}, {time}", weekday=weekday(local), date=named, time=time)


def plural(count: int, singular: str, many: str | None = None) -> str:
    """Format a count with its noun: "1 message", "2 messages"."""
    return f"{count:,} {singular if count == 1 else many or singular + 's'}"


def join_items(items: Sequence[str]) -> str:
    """Join items with commas and a final "and": "milk, eggs and bread"."""
    if len(items) < 2:
        return "".join(items)
    return say("{first} and {last}", first=say(", ").join(items[:-1]), last=items[-1])


def join_in_english(items: Sequence[str]) -> str:
    """Join items as `join_items` does, for prompts and records, which are in English in every language."""
    with speaking(ENGLISH):
        return join_items(items)


def shorten(text: str, most: int = 160) -> str:
    """Return a text on one line, cut at a word to at most `most` characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1].rsplit(" ", 1)[0] + "…"


_FIRST = re.compile(r"(?<!\d)0?1(?!\d)")


def describe_told_day(at: datetime, text: str, zone: tzinfo) -> str:
    """Return the day of what a text tells, no surer than it tells it: "in March" is no 1 March."""
    at = at.astimezone(zone)
    if at != at.replace(day=1, hour=0, minute=0, second=0, microsecond=0) or _FIRST.search(text):
        return name_day(at, zone)
    return at.strftime("%Y" if at.month == 1 and str(at.year) in text else "%B %Y")
