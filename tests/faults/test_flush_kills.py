"""Killed while it judges what was said, the next run decides the rest, and nothing twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from furoshiki.core.crash_points import CRASHED
from furoshiki.core.database import kv
from furoshiki.core.database.connection import Database
from furoshiki.memory.exit_gate import MATURITY
from furoshiki.memory.store import memories, scratch
from furoshiki.messages.store import turns
from tests.support.laws import NOON
from tests.support.processes import killed_at
from tests.support.rows import user_said

pytestmark = [pytest.mark.faults, pytest.mark.slow]

ITEMS = 5

_FLUSH = """
import os, sys
os.environ["FUROSHIKI_DATA"] = sys.argv[1]
from datetime import UTC, datetime
from furoshiki.app import run_job
from furoshiki.memory import exit_gate
import furoshiki.retrieval.client
def away(*_, **__):
    raise furoshiki.retrieval.client.VectorsAway("not in this test")
furoshiki.retrieval.client.Vectors._ask = away
outcome = run_job.run("flush_scratch", now=datetime(2026, 3, 3, 15, tzinfo=UTC))
raise SystemExit(outcome.exit_code)
"""


@pytest.mark.parametrize(
    "point",
    [
        "run.begun",
        "scratch.before_decision:2",
        "scratch.after_decision:2",
        "store.before_commit:3",
        "store.after_commit:2",
    ],
)
def test_each_thing_said_is_decided_once(tmp_path: Path, database: Database, point: str) -> None:
    with database.write() as db:
        kv.put(db, MATURITY, 1.0, NOON)
        for number in range(ITEMS):
            text = f"I planted roses in the garden of the new house, row {number}"
            turn_id = turns.add(db, user_said(text))
            scratch.put(db, turn_id, text, {}, "external_user", 0.9, NOON)
    deaths = [killed_at(point, _FLUSH, tmp_path) for _ in range(3)]
    assert deaths[0] == CRASHED
    assert killed_at("nowhere", _FLUSH, tmp_path) == 0
    with database.read() as db:
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        counts = scratch.counts(db)
        kept = [one for one in memories.newest(db, 50) if one.type == "episodic"]
        rows = db.execute("SELECT state, memory_id FROM scratch_buffer ORDER BY id").fetchall()
    assert "waiting" not in counts and sum(counts.values()) == ITEMS
    assert len({one.turn_ids for one in kept}) == len(kept) == counts.get("persisted", 0)
    for row in rows:
        assert (row["memory_id"] is not None) == (row["state"] in ("persisted", "reinforced"))
