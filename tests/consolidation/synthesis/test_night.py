"""A whole night: every step over one memory, once; killed anywhere, the next run finishes it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from furoshiki.core.crash_points import CRASHED
from furoshiki.core.database.connection import Database
from furoshiki.core.paths import ROOT
from furoshiki.memory.store import links
from furoshiki.retrieval.store import vectors
from furoshiki.retrieval.store.vectors import Embedded
from furoshiki.world import World
from tests.support import dying_night as dying
from tests.support.encoders import WordEncoder
from tests.support.reasons import reasons
from tests.support.thinking import Night
from tests.support.world import FrozenClock, Script

MEMORIES = (
    "They swim in the sea after hard days.",
    "The days at the harbour are hard when ships are late.",
    "They walked to the sea at night after the late ship.",
    "They drink black coffee without sugar.",
    "They drink black coffee without any sugar.",
    "They drink black coffee without sugar today.",
)
POINTS = [
    f"deepening.{step}.{point}"
    for step in ("reconsolidation", "insights", "merging", "narratives", "tensions", "recompression", "contextualising")
    for point in ("answered", "before_commit")
]
WHAT_IS_LEFT = {
    "memories": "SELECT id, type, content, status, alpha, beta, compressed, content_contextualized, "
    "json_remove(metadata, '$.cycle') AS metadata FROM memories ORDER BY id",
    "sources": "SELECT memory_id, turn_id FROM memory_sources ORDER BY 1, 2",
    "links": "SELECT from_id, relation, to_id FROM memory_links ORDER BY id",
    "log": "SELECT operation, memory_id FROM consolidation_log ORDER BY id",
    "refused": "SELECT kind, content FROM rejected_extractions ORDER BY id",
}


def fill(world: World, clock: FrozenClock) -> Night:
    """Six memories with their vectors, something valued, something done against it, and a doubted insight."""
    night = Night(world, Script(), clock)
    night.learns(*MEMORIES)
    night.learns("They want to be home for dinner every evening.", type_="preference")
    night.learns("They stayed at the office past dinner every evening.")
    night.weighs(7, 8.0, 2.0)
    night.learns("They look at the sea after hard days at the harbour.", "They avoid the sea when days are hard.")
    encoder = WordEncoder()
    with world.database.write() as db:
        db.execute(
            "UPDATE memories SET type='reflection', source_tag='internal_consolidation', "
            "metadata='{\"cites\":[1,2]}' WHERE id=9"
        )
        links.link(db, 10, 9, "contradicts", 0.8, clock.at)
        vectors.model_is(db, encoder.id, clock.at)
        rows = vectors.waiting(db, "memory", 100)
        made = [
            Embedded(row.id, vectors.pack(vector), "")
            for row, vector in zip(rows, encoder.encode([row.text for row in rows]), strict=True)
        ]
        vectors.embedded(db, "memory", encoder.id, made)
    return night


def left(world: World) -> dict[str, list[tuple[Any, ...]]]:
    with world.database.read() as db:
        return {name: [tuple(row) for row in db.execute(question)] for name, question in WHAT_IS_LEFT.items()}


async def test_a_night_leaves_what_a_person_would_notice_and_a_second_one_nothing_more(
    tmp_path: Path, database: Database, clock: FrozenClock
) -> None:
    world = dying.world_in(tmp_path, database)
    night = fill(world, clock)
    did = await dying.night(world)
    assert did["reconsolidation"]["kept"] == 1
    assert did["insights"] == {"new": 1, "again": 0, "refused": 0}
    assert did["merging"] == {"merged": 1, "refused": 0, "left": 0}
    assert did["narratives"]["new"] == 1
    assert did["tensions"]["new"] == 1
    assert did["recompression"]["written"] == 3
    assert did["contextualising"]["without"] == 9
    (insight,) = [one for one in night.all("reflection") if "go to the sea" in one.content]
    shown = reasons(world, f"memory:{insight.id}")
    assert shown is not None and "I swim in the sea after hard days." in [turn["text"] for turn in shown["turns"]]
    assert all(one.turn_ids for one in night.all())
    assert night.get(4).beta == pytest.approx(4.3) and night.get(4).compressed == "black coffee without sugar"
    before = left(world)
    world.clock.pass_(days=1)  # type: ignore[attr-defined]
    again = await dying.night(world)
    assert left(world) == before, again


@pytest.mark.slow
@pytest.mark.parametrize("point", POINTS)
async def test_killed_anywhere_the_next_run_finishes_and_nothing_is_done_twice(
    point: str, tmp_path: Path, database: Database, clock: FrozenClock, in_peace: dict[str, list[tuple[Any, ...]]]
) -> None:
    world = dying.world_in(tmp_path, database)
    fill(world, clock)
    environ = {**os.environ, "FUROSHIKI_CRASH_AT": point, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tests.support.dying_night", str(tmp_path)]
    died = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, timeout=60)
    assert died.returncode == CRASHED, died.stderr
    await dying.night(world)
    after = left(world)
    assert len({row[2] for row in after["memories"]}) == len(after["memories"])
    assert len(set(after["log"])) == len(after["log"])
    assert after == in_peace


@pytest.fixture(scope="module")
async def in_peace(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> dict[str, list[tuple[Any, ...]]]:
    """What a night leaves that nobody disturbed."""
    folder = tmp_path_factory.mktemp("peace")
    path = folder / "memory" / "longmemory.sqlite"
    path.parent.mkdir()
    path.write_bytes(empty_database.read_bytes())
    database = Database(path, busy_seconds=5.0)
    try:
        world = dying.world_in(folder, database)
        fill(world, FrozenClock())
        await dying.night(world)
        return left(world)
    finally:
        database.close()
