"""Lines of the ledger put together."""

from __future__ import annotations

import pytest

from furoshiki.faces.dashboard.pages.costs import group
from furoshiki.models.llm.values import Cell

CELLS = [
    Cell("2026-03-23", "turn", "chat", "anthropic:a", 4, 1, 0, 1000, 250, 100, 0.3),
    Cell("2026-03-24", "turn", "chat", "anthropic:a", 2, 0, 0, 1000, 750, 50, 0.1),
    Cell("2026-03-24", "journal", "reflect", "openai:b", 1, 0, 1, 0, 0, 10, 0.6),
]


def test_the_dearest_comes_first_with_its_share_of_all() -> None:
    journal, turn = group(CELLS, "purpose")
    assert (journal.name, turn.name, turn.calls, turn.failed, journal.in_batches) == ("journal", "turn", 6, 1, 1)
    assert turn.share == pytest.approx(0.4) and turn.cached_share == 0.5 and journal.cached_share == 0


def test_days_come_newest_first() -> None:
    assert [line.name for line in group(CELLS, "day")] == ["2026-03-24", "2026-03-23"]
    assert group([], "tier") == []
