"""Appointments in words: the next two days for a conversation, and one reminder before each."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime, timedelta, tzinfo
from typing import Any

STALE = timedelta(hours=24)
MOST_TOLD = 12
"""Appointments of one day that are listed; further ones are only counted."""


@dataclass(frozen=True)
class Appointment:
    """One occurrence. `id` stays the same when it is moved; `begins` and `ends` are in the owner's
    time, at midnight for `all_day`, whose end is exclusive."""

    id: str
    title: str
    place: str
    begins: datetime
    ends: datetime
    all_day: bool = False


def kept(appointments: Sequence[Appointment]) -> list[dict[str, Any]]:
    """Return the appointments as JSON data."""
    return [{**asdict(one), "begins": one.begins.isoformat(), "ends": one.ends.isoformat()} for one in appointments]


def read(rows: Sequence[Mapping[str, Any]]) -> list[Appointment]:
    """Parse that JSON data."""
    return [
        Appointment(
            row["id"], row["title"], row["place"], datetime.fromisoformat(row["begins"]),
            datetime.fromisoformat(row["ends"]), row["all_day"],
        )
        for row in rows
    ]  # fmt: skip


def localized(one: Appointment, zone: tzinfo | None) -> Appointment:
    """Convert to the owner's zone, which JSON does not keep; whole days stay the same days."""
    if one.all_day:
        return replace(one, begins=one.begins.replace(tzinfo=zone), ends=one.ends.replace(tzinfo=zone))
    return replace(one, begins=one.begins.astimezone(zone), ends=one.ends.astimezone(zone))


def told(appointments: Sequence[Appointment], now: datetime) -> str:
    """Describe today and tomorrow, one line each; `now` is the owner's time."""
    today = now.date()
    lines = []
    for day, words in ((today, "Calendar today"), (today + timedelta(days=1), "Tomorrow")):
        lines.append(f"{words}, {day:%A} {day.day} {day:%B}: {_day(appointments, day, now)}.")
    return "\n".join(lines)


def _day(appointments: Sequence[Appointment], day: date, now: datetime) -> str:
    theirs = sorted((one for one in appointments if _is_on(one, day)), key=lambda one: (one.all_day, one.begins))
    if not theirs:
        return "nothing"
    told = [_words(one, day, now) for one in theirs[:MOST_TOLD]]
    if len(theirs) > MOST_TOLD:
        told.append(f"and {len(theirs) - MOST_TOLD} more")
    return "; ".join(told)


def _is_on(one: Appointment, day: date) -> bool:
    """Return whether it is on a day; an end at midnight belongs to the day before."""
    last = max(one.begins, one.ends - timedelta(microseconds=1))
    return one.begins.date() <= day <= last.date()


def _words(one: Appointment, day: date, now: datetime) -> str:
    what = one.title + (f" ({one.place})" if one.place else "")
    if one.all_day:
        return f"all day: {what}"
    begins = f"{one.begins:%H:%M}" if one.begins.date() == day else ""
    ends = f"{one.ends:%H:%M}" if one.ends.date() == day and one.ends > one.begins else ""
    if begins and one.ends.date() > day:
        clock = f"from {begins}"
    elif not begins:
        clock = f"until {ends}" if ends else "all day"
    else:
        clock = f"{begins}–{ends}" if ends else begins
    return f"{clock} {what}" + (" (over)" if one.begins < now and one.ends <= now else "")


@dataclass(frozen=True)
class Reminder:
    """A thought for the companion, valid between two moments."""

    about: Appointment
    summary: str
    detail: str
    key: str
    not_before: datetime
    until: datetime


def reminders(
    appointments: Sequence[Appointment],
    announced: Mapping[str, str],
    now: datetime,
    before: timedelta,
    every: timedelta,
) -> list[Reminder]:
    """Return the reminders due before the next run (`every` so often), the earliest first.

    `announced` holds the announced begin of each: a moved appointment is announced again.
    """
    found: list[Reminder] = []
    for one in sorted(appointments, key=lambda one: one.begins):
        due = one.begins - before
        if one.all_day or one.begins <= now or due > now + every:
            continue
        begins = one.begins.isoformat()
        earlier = announced.get(one.id)
        if earlier is not None and datetime.fromisoformat(earlier) == one.begins:
            continue
        when = f"at {one.begins:%H:%M}" + ("" if one.begins.date() == now.date() else f" on {one.begins:%A}")
        moved = " (it was moved)" if earlier is not None else ""
        key = hashlib.sha256(f"{one.id} {begins}".encode()).hexdigest()
        summary = f'"{_sayable(one.title)}" begins {when}{moved}'
        found.append(Reminder(one, summary, one.place, key, max(due, now), one.begins))
    return found


def announced_then(announced: Mapping[str, str], made: Sequence[Reminder], now: datetime) -> dict[str, str]:
    """Return what is announced after these, without those over for a week."""
    known = {**announced, **{one.about.id: one.about.begins.isoformat() for one in made}}
    return {name: begins for name, begins in known.items() if now - datetime.fromisoformat(begins) < timedelta(days=7)}


def _sayable(title: str) -> str:
    """Remove links and @names from a title: unprompted messages must not contain them."""
    bare = re.sub(r"\S*://\S*|www\.\S*|t\.me/\S*", "", title, flags=re.IGNORECASE)
    return " ".join(re.sub(r"(?<!\w)@+(?=\w)", "at ", bare).split()) or "an appointment"
