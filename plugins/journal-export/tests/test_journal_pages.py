"""What a day looks like as a file."""

from __future__ import annotations

import json
from datetime import timedelta, timezone
from pathlib import Path

import journal_pages

HERE = timezone(timedelta(hours=1))
ENTRY = {
    "kind": "journal",
    "day": "2026-11-23",
    "at": "2026-11-23T21:04:00+00:00",
    "passages": json.dumps(
        [{"text": "We spoke of the garden.", "cites": [1]}, {"text": "Frost is near.\n", "cites": []}]
    ),
}
SESSION = {
    "started_at": "2026-11-23T07:10:00+00:00",
    "ended_at": "2026-11-23T07:31:00+00:00",
    "topics": '["garden", "frost"]',
    "document": "# What was said\nAnn: Is the frost near?\nFuroshiki: It is.\n",
}


def test_a_day_is_told_in_the_order_of_the_clock() -> None:
    days = journal_pages.by_day([journal_pages.entry(ENTRY, HERE), journal_pages.conversation(SESSION, HERE)])
    assert list(days) == ["2026-11-23"]
    golden = Path(__file__).resolve().parent / "samples" / "day.md"
    assert journal_pages.page("2026-11-23", days["2026-11-23"]) == golden.read_text()


def test_a_conversation_belongs_to_the_day_it_began_on_where_the_owner_is() -> None:
    late = {**SESSION, "started_at": "2026-11-22T23:30:00+00:00", "topics": None}
    day, section = journal_pages.conversation(late, HERE)
    assert (day, section.clock, section.title) == ("2026-11-23", "00:30–08:31", "conversation")


def test_what_has_no_words_is_no_section() -> None:
    assert journal_pages.by_day([journal_pages.entry({**ENTRY, "passages": "[]"}, HERE)]) == {}


def test_the_months_between_two() -> None:
    assert journal_pages.months("2025-11", "2026-02") == ["2025-11", "2025-12", "2026-01", "2026-02"]
    assert journal_pages.months("2026-02", "2026-01") == []
