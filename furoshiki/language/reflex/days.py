"""Resolve days to the date they meant when said: "dentist tomorrow at 3pm", two days later."""

import re
from datetime import datetime

from furoshiki.core import timestamps
from furoshiki.core.catalogue import get_language, say
from furoshiki.language.dates import parsing
from furoshiki.language.dates.habits import Habits
from furoshiki.language.facts.retelling import to_user
from furoshiki.language.humanize import date, weekday
from furoshiki.language.reflex.values import KnownFact
from furoshiki.language.requests.short_notes import MARK, spell_out
from furoshiki.language.tables.calendar_names import MONTHS

_FIGURES = re.compile(r"(?P<one>\d{1,2})/(?P<other>\d{1,2})(?:/(?P<year>\d{2,4}))?")
_SINCE = re.compile(r"\b(?:since|seit|desde|depuis|da(?:l|lla)?|с|со)\W{1,3}(?:\w{1,5}\W)?$", re.IGNORECASE)
# a day since when something is so is past, and needs no date: "in hospital since monday"
_SO_LONG = re.compile(r"(?:['\u2019]?d[ae]n)? beri|以来", re.IGNORECASE)
_OVER = ((r"^(you|\S+) have\b", r"\1 had"), (r"^you are\b", "you were"), (r" is\b", " was"), (r" has\b", " had"))
_MEANT = (r"^you mean to\b", "you meant to")


def phrase_fact(fact: KnownFact, now: datetime, habits: Habits) -> str:
    """Phrase a fact to the user with its date, in the past tense if that is over."""
    found = _read(fact.object, fact.said_at, now, habits)
    if fact.predicate not in ("plans", "has_to", "intends") or found is None:
        return to_user(fact.subject, fact.predicate, fact.object)
    shown = fact.object[: found.start] + describe_day(found, now) + fact.object[found.end :]
    said = to_user(fact.subject, fact.predicate, shown)
    if found.at.date() >= now.date():
        return said
    for pattern, instead in (_MEANT, *_OVER):
        said, changed = re.subn(pattern, instead, said, count=1)
        if changed:
            break
    return said


def find_meant_day(text: str, said_at: datetime, now: datetime, habits: Habits) -> str | None:
    """Say which day an older message means ("That was on Wednesday, 4 March."), or None; of one
    said today only where that is another day."""
    found = _parse(text, said_at, now, habits)
    today = timestamps.local(said_at, now.tzinfo).date() == now.date()
    if found is not None and (_SINCE.search(text[: found.start]) or _SO_LONG.match(text[found.end :])):
        return None
    if found is None or not found.dated or (today and found.at.date() == now.date()):
        return None  # an hour alone may be no time: "ma fille a 6 ans"
    when = describe_day(found, now)
    return say("That was {when}.", when=when) if found.at < now else say("That is {when}.", when=when)


def describe_day(found: parsing.When, now: datetime) -> str:
    """Format a date, with the time if one was given."""
    local = timestamps.local(found.at, now.tzinfo)
    named = {"weekday": weekday(local), "date": date(local, with_year=local.year != now.year)}
    if found.timed:
        return say("on {weekday}, {date}, at {time}", time=local.strftime("%H:%M"), **named)
    return say("on {weekday}, {date}", **named)


def of_two(written: str) -> tuple[str, str] | None:
    """Return both readings of an ambiguous date ("3/7/1990"), each as "7 March 1990"; or None."""
    match = _FIGURES.fullmatch(written.strip())
    if match is None:
        return None
    one, other, year = int(match["one"]), int(match["other"]), match["year"] or ""
    if one == other or not (1 <= one <= 12 and 1 <= other <= 12):
        return None
    pairs = ((one, other), (other, one))
    first, second = (f"{day} {MONTHS[month - 1].title()} {year}".strip() for day, month in pairs)
    return first, second


def _read(text: str, said_at: datetime | None, now: datetime, habits: Habits) -> parsing.When | None:
    """Return the day if the words were said on another day than today and name no repetition."""
    if said_at is None or timestamps.local(said_at, now.tzinfo).date() == now.date():
        return None
    return _parse(text, said_at, now, habits)


def _parse(text: str, said_at: datetime, now: datetime, habits: Habits) -> parsing.When | None:
    then = timestamps.local(said_at, now.tzinfo)
    found, spelled = parsing.read(text, then, habits), spell_out(text, get_language())
    if found is None or not found.timed:
        found = parsing.read(spelled, then, habits) or found
    parts = filter(None, (parsing.read(part, then, habits) for part in MARK.split(spelled)))
    days = [day for day in parts if day.dated]
    if len({day.at.date() for day in days}) > 1:
        return None  # "dentist monday 10, vet thursday": the words alone tell which is meant
    whole = parsing.parse_when(spelled, then, habits)
    if isinstance(whole, parsing.Unclear) and not whole.halves:  # "op 5 may, nil by mouth from midnight"
        found = next(iter(days), found)
    return None if found is None or found.rule else found
