"""Writes the days that changed. All of them when something was forgotten, so that it is not kept here."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import journal_pages
from furoshiki_plugin import answer, data_dir, given, read_db

RECENT = timedelta(days=7)
AT_ONCE = 100
"""Rows that are read in one query."""

ENTRIES = (
    "SELECT id, kind, day, at, passages FROM inner_monologue WHERE state='kept' AND at>=? AND id>? ORDER BY id LIMIT ?"
)
CONVERSATIONS = (
    "SELECT id, started_at, ended_at, topics, document FROM sessions WHERE ended_at>=? AND id>? ORDER BY id LIMIT ?"
)


def rows(sql: str, since: str) -> Iterator[Mapping[str, Any]]:
    """All rows of a query, some at a time."""
    last = 0
    while found := read_db(sql, [since, last, AT_ONCE]):
        yield from found
        last = found[-1]["id"]


def zone() -> tzinfo:
    """The owner's zone, by its name where there is one; else as their clock is set now."""
    locale = given().state.get("locale")
    named = locale.get("timezone") if isinstance(locale, Mapping) else None
    try:
        return ZoneInfo(str(named))
    except (ZoneInfoNotFoundError, ValueError):
        return datetime.fromisoformat(given().state["now"]).tzinfo or UTC


def found_days(since: str, local: tzinfo) -> dict[str, list[journal_pages.Section]]:
    """The sections of every day since then."""
    kinds: list[tuple[str, Callable[[Mapping[str, Any], tzinfo], tuple[str, journal_pages.Section]]]] = [
        (ENTRIES, journal_pages.entry),
        (CONVERSATIONS, journal_pages.conversation),
    ]
    return journal_pages.by_day(read(row, local) for sql, read in kinds for row in rows(sql, since))


def write(folder: Path, days: Mapping[str, list[journal_pages.Section]]) -> int:
    """Write the pages that are not there as they are; how many."""
    written = 0
    for day, sections in days.items():
        path = folder / day[:4] / f"{day}.md"
        text = journal_pages.page(day, sections)
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_text(text, encoding="utf-8")
        part.replace(path)
        written += 1
    return written


def main() -> str:
    """Export, and a line for the log."""
    folder = data_dir()
    known = folder / "exported.json"
    forgotten = [dict(row) for row in read_db("SELECT count(*) AS n, max(forgotten_at) AS last FROM tombstones")]
    whole = not known.exists() or json.loads(known.read_text()) != forgotten
    local = zone()
    # A day is written with all it has, so it is read from its beginning, wherever on earth that was.
    first = (datetime.fromisoformat(given().state["now"]) - RECENT).astimezone(local).date()
    since = "" if whole else f"{first - timedelta(days=1)}"
    days = found_days(since, local)
    if not whole:
        days = {day: sections for day, sections in days.items() if day >= f"{first}"}
    written = write(folder, days)
    removed = 0
    if whole:
        for path in folder.glob("[0-9][0-9][0-9][0-9]/*.md"):
            if path.stem not in days:
                path.unlink()
                removed += 1
        known.write_text(json.dumps(forgotten))
    return f"{written} days written" + (f", {removed} removed" if removed else "")


if __name__ == "__main__":
    answer(log=main())
