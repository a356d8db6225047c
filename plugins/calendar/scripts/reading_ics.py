"""Parses appointments from iCalendar text: recurrences, exceptions, zones, whole days."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any

import recurring_ical_events
from appointments import Appointment
from icalendar import Calendar

MOST, LONGEST = 300, 120
"""Appointments kept at most, and characters of a title or place."""


def appointments(texts: Iterable[str], begin: datetime, end: datetime, zone: tzinfo | None) -> list[Appointment]:
    """Return the appointments between two moments, in the owner's zone. Raises ValueError."""
    found: dict[tuple[str, datetime], Appointment] = {}
    for text in texts:
        calendar = _calendar(text)
        series = {_uid(one) for one in calendar.walk("VEVENT") if {"RRULE", "RDATE", "RECURRENCE-ID"} & one.keys()}
        for event in recurring_ical_events.of(calendar, skip_bad_series=True).between(begin, end):
            if str(event.get("STATUS", "")).upper() != "CANCELLED":
                one = _appointment(event, series, zone)
                found[one.id, one.begins] = one
    return sorted(found.values(), key=lambda one: (one.begins, one.title))[:MOST]


def _calendar(text: str) -> Calendar:
    try:
        return Calendar.from_ical(text)
    except (ValueError, KeyError, IndexError, TypeError) as error:
        began = " ".join(text[:60].split()) or "nothing at all"
        raise ValueError(
            f"this is no calendar but {began!r}: check URL, which has to lead to the feed itself"
        ) from error


def _appointment(event: Any, series: set[str], zone: tzinfo | None) -> Appointment:
    """Build an appointment; recurring ones (UIDs in `series`) get an id with the original time."""
    first = event.decoded("DTSTART")
    last = event.decoded("DTEND") if "DTEND" in event else first
    all_day = not isinstance(first, datetime)
    begins, ends = _moment(first, zone), _moment(last, zone)
    if all_day and ends <= begins:
        ends = begins + timedelta(days=1)
    name, meant = _uid(event), event.get("RECURRENCE-ID")
    if name in series and meant is not None:
        name += f" {_moment(meant.dt, zone).astimezone(UTC).isoformat()}"
    title = _line(event.get("SUMMARY")) or "an appointment without a title"
    return Appointment(name, title, _line(event.get("LOCATION")), begins, max(begins, ends), all_day)


def _uid(event: Any) -> str:
    return str(event.get("UID", ""))[:200]


def _moment(when: date, zone: tzinfo | None) -> datetime:
    """Convert a date to its midnight; a time without a zone is in the owner's zone."""
    if not isinstance(when, datetime):
        return datetime(when.year, when.month, when.day, tzinfo=zone)
    return when.replace(tzinfo=zone) if when.tzinfo is None else when.astimezone(zone)


def _line(text: Any) -> str:
    """Return the inviter's words in one line, without invisible characters."""
    kept = "".join(" " if one.isspace() else one for one in str(text or "") if one.isspace() or _visible(one))
    line = " ".join(kept.split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1].rstrip() + "…"


def _visible(one: str) -> bool:
    return not unicodedata.category(one).startswith("C")
