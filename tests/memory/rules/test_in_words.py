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
