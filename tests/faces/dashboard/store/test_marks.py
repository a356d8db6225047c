"""What changes in place is seen, each in its own subject."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from furoshiki.core.database import kv
from furoshiki.faces.dashboard.store import marks
from furoshiki.mind.consolidation import decay
from furoshiki.owner.agenda.store import operations
from furoshiki.world import World
from tests.support.commands import learned, said

LATER = datetime(2026, 12, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("topic", "change"),
    [
        ("agenda", lambda db: operations.end(db, 1, True, "Found.", LATER)),
        ("memory", lambda db: db.execute("UPDATE memories SET status='dormant' WHERE id=1")),
        ("memory", lambda db: kv.put(db, decay.COOLED_AT, LATER.isoformat(), LATER)),
        ("memory", lambda db: db.execute("UPDATE memories SET hit_count=hit_count+1 WHERE id=1")),
        ("memory", lambda db: db.execute("INSERT INTO concepts (name, created_at) VALUES ('lyon', '')")),
    ],
)
def test_what_changes_without_a_new_row_is_seen(
    world: World, topic: str, change: Callable[[sqlite3.Connection], object]
) -> None:
    learned(world, "They live in Lyon.", said(world, "I live in Lyon"))
    with world.database.write() as db:
        operations.begin(db, "research", "Look up trains", "telegram", "7", world.now)
    with world.database.write() as db:
        before = marks.of(db)
        change(db)
        after = marks.of(db)
    assert [one for one in after if after[one] != before[one]] == [topic]
