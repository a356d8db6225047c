"""A day as a Markdown page: conversations and journal entries in order of time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from typing import Any

TITLES = {
    "journal": "journal",
    "contemplation": "a thought",
    "morning": "looking ahead",
    "afternoon": "looking back",
}


@dataclass(frozen=True)
class Section:
    """A section of a day: begin, time and title of the heading, text."""

    at: datetime
    clock: str
    title: str
    text: str


def entry(row: Mapping[str, Any], zone: tzinfo | None) -> tuple[str, Section]:
    """Convert a journal row to its day and section."""
    at = datetime.fromisoformat(row["at"]).astimezone(zone)
    text = "\n\n".join(str(one["text"]).strip() for one in json.loads(row["passages"]))
    return row["day"], Section(at, f"{at:%H:%M}", TITLES.get(row["kind"], row["kind"]), text)


def conversation(row: Mapping[str, Any], zone: tzinfo | None) -> tuple[str, Section]:
    """Convert a session row to the day it began on and its section."""
    began, ended = (datetime.fromisoformat(row[name]).astimezone(zone) for name in ("started_at", "ended_at"))
    topics = ", ".join(str(one) for one in json.loads(row["topics"] or "[]"))
    title = f"conversation: {topics}" if topics else "conversation"
    return f"{began:%Y-%m-%d}", Section(began, f"{began:%H:%M}–{ended:%H:%M}", title, str(row["document"]).strip())


def by_day(sections: Iterable[tuple[str, Section]]) -> dict[str, list[Section]]:
    """Return the sections with text, by day."""
    days: dict[str, list[Section]] = {}
    for day, section in sections:
        if section.text:
            days.setdefault(day, []).append(section)
    return days


def months(first: str, last: str) -> list[str]:
    """Return the months from one to another, each as "2026-11"."""
    begin, end = (12 * int(one[:4]) + int(one[5:7]) - 1 for one in (first, last))
    return [f"{at // 12:04}-{at % 12 + 1:02}" for at in range(begin, end + 1)]


def page(day: str, sections: Iterable[Section]) -> str:
    """Return the page of a day. Headings in texts move down a level, below those of the page."""
    parts = [f"# {_long(day)}"]
    for one in sorted(sections, key=lambda one: (one.at, one.title)):
        parts.append(f"## {one.clock}, {one.title}")
        parts.append("\n".join(f"##{line}" if line.startswith("#") else line for line in one.text.splitlines()))
    return "\n\n".join(parts) + "\n"


def _long(day: str) -> str:
    read = date.fromisoformat(day)
    return f"{read:%A}, {read.day} {read:%B %Y}"
