"""How a memory came, in words."""

from __future__ import annotations

import pytest

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
