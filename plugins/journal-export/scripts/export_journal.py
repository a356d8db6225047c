"""Exports changed days as files: the last month each time, and everything after something was
forgotten, to delete it here, too."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date, timedelta, tzinfo
from pathlib import Path
from typing import Any

import journal_pages
from furoshiki_plugin import answer, data_dir, now, read_db

RECENT = timedelta(days=7)
"""A month is checked again until a week after its end."""

AT_ONCE = 200
"""Rows of one query."""

MOST_QUERIES = 200
"""Of 500 queries allowed per run; a large export continues in the next run."""

ENTRIES = (
    "SELECT id, kind, day, at, passages FROM inner_monologue "
    "WHERE state='kept' AND day>=? AND day<=? AND id>? ORDER BY id LIMIT ?"
)
CONVERSATIONS = (
    "SELECT id, started_at, ended_at, topics, document FROM sessions "
    "WHERE started_at>=? AND started_at<=? AND id>? ORDER BY id LIMIT ?"
)
_queries = 0


def rows(sql: str, first: date, last: date) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of a query between two days, page by page."""
    global _queries
    seen = 0
    while True:
        _queries += 1
        found = read_db(sql, [f"{first}", f"{last}~", seen, AT_ONCE])
        yield from found
        if not found or (len(found) < AT_ONCE and not found.more):
            return
        seen = found[-1]["id"]


def export(month: str, local: tzinfo | None) -> tuple[int, int]:
    """Write changed days of a month ("2026-11"), and remove empty ones; return both counts."""
    first = date.fromisoformat(f"{month}-01")
    last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    around = timedelta(days=1)  # the database's days are UTC days
    found = [journal_pages.entry(row, local) for row in rows(ENTRIES, first, last)]
    found += [journal_pages.conversation(row, local) for row in rows(CONVERSATIONS, first - around, last + around)]
    days = journal_pages.by_day(one for one in found if one[0].startswith(month))
    folder = data_dir() / month[:4]
    gone = [path for path in folder.glob(f"{month}-*.md") if path.stem not in days]
    for path in gone:
        path.unlink()
    return sum(write(folder / f"{day}.md", journal_pages.page(day, days[day])) for day in days), len(gone)


def write(path: Path, text: str) -> bool:
    """Write a file atomically; False if it is unchanged."""
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)
    return True


def first_month() -> str:
    """Return the first month with data, or ""."""
    (begun,) = read_db(
        "SELECT (SELECT min(day) FROM inner_monologue) AS entry, (SELECT min(started_at) FROM sessions) AS session"
    )
    return min((str(one)[:7] for one in (begun["entry"], begun["session"]) if one), default="")


def main() -> str:
    """Export, and return a line for the log."""
    local, today, known = now().tzinfo, now().date(), data_dir() / "exported.json"
    months = journal_pages.months(f"{today - RECENT:%Y-%m}", f"{today:%Y-%m}")
    forgotten = [dict(row) for row in read_db("SELECT count(*) AS n, max(forgotten_at) AS last FROM tombstones")]
    state = json.loads(known.read_text()) if known.exists() else {}
    if state.get("forgotten") != forgotten:
        there = [path.stem[:7] for path in data_dir().glob("[0-9][0-9][0-9][0-9]/*.md")]
        first = min(filter(None, (first_month(), *there)), default=months[0])
        state = {"forgotten": forgotten, "left": journal_pages.months(first, months[-1])}
    waiting = [*months, *(month for month in reversed(state["left"]) if month not in months)]
    written = removed = 0
    while waiting and _queries < MOST_QUERIES:
        counts = export(waiting.pop(0), local)
        written, removed = written + counts[0], removed + counts[1]
    write(known, json.dumps({"forgotten": forgotten, "left": sorted(waiting)}))
    left = f", {len(waiting)} months left for the next run" if waiting else ""
    return f"{written} days written, {removed} removed{left}"


if __name__ == "__main__":
    answer(log=main())
