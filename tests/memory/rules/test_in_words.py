"""How a memory came, in words."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from furoshiki.language.humanize import describe_told_day
from furoshiki.memory.rules import in_words

ROWS = [
    ("external_user", "semantic", [None], False, "told"),
    ("external_user", "semantic", ["from the document cv.txt", None], False, "told"),
    ("external_user", "semantic", ["from the document cv.txt"], False, "read"),
    ("owner", "semantic", [None], False, "corrected"),
    ("internal_consolidation", "semantic", [None], False, "concluded"),
    ("external_user", "narrative", [None], False, "concluded"),
    ("internal_consolidation", "reflection", [], True, "concluded"),
]


@pytest.mark.parametrize(("tag", "kind", "sources", "documents", "came"), ROWS)
def test_how_it_came(tag: str, kind: str, sources: list[str | None], documents: bool, came: str) -> None:
    assert in_words.came(tag, kind, sources, documents)[0] == came


def test_what_became_of_its_weight_is_told_without_names_of_types() -> None:
    moved = {"at": "2026-03-24T15:00", "before": (1.0, 1.0), "after": (3.0, 1.0)}
    history = [{**moved, "operation": "narrative"}, {**moved, "operation": "narrative_again"}]
    assert in_words.describe_changes(history) == [
        "2026-03-24 15:00 its own story: 0.50 → 0.75",
        "2026-03-24 15:00 its own story again: 0.50 → 0.75",
    ]


@pytest.mark.parametrize(
    ("text", "at", "day"),
    [
        ("Their husband Tom died in March.", datetime(2026, 3, 1), "March 2026"),
        ("Tom gave up his pipe in 2009.", datetime(2009, 1, 1), "2009"),
        ("Gwen is in Tenerife in January.", datetime(2027, 1, 1), "January 2027"),
        ("They start on 1 March.", datetime(2026, 3, 1), "1 March 2026"),
        ("They start on the 15th.", datetime(2026, 3, 15), "15 March 2026"),
        ("They said: “it is done”", datetime(2026, 3, 1, 18, 5), "1 March 2026"),
    ],
)
def test_a_day_is_no_surer_than_it_was_told(text: str, at: datetime, day: str) -> None:
    assert describe_told_day(at.replace(tzinfo=UTC), text, UTC) == day
