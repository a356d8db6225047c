"""A whole night: every step over one memory, once; killed anywhere, the next run finishes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.memory.store import links
from furoshiki.recall.retrieval.store import vectors
from furoshiki.recall.retrieval.store.vectors import Embedded
from furoshiki.world import World
from tests.support import dying_night as dying
from tests.support.deaths import Trial, Work, opened, rows_in
from tests.support.encoders import WordEncoder
from tests.support.reasons import reasons
from tests.support.thinking import Night
from tests.support.world import FrozenClock, Script

MEMORIES = (
    "They swim in the sea after hard days.",
    "The days at the harbour are hard when ships are late.",
    "They walked to the sea at night after the late ship.",
    "They drink black coffee without sugar at breakfast in the kitchen.",
    "They drink black coffee without any sugar at breakfast in the kitchen.",
    "They drink black coffee without sugar today at breakfast in the kitchen.",
)
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
        rows = vectors.list_waiting(db, "memory", 100)
        made = [
            Embedded(row.id, vectors.pack(vector), "")
            for row, vector in zip(rows, encoder.encode([row.text for row in rows]), strict=True)
        ]
        vectors.keep_vectors(db, "memory", encoder.id, made)
    return night


def left(home: Path) -> dict[str, list[tuple[Any, ...]]]:
    return rows_in(home, WHAT_IS_LEFT)


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
    assert did["contextualising"]["with_context"] == 9
    (insight,) = [one for one in night.all("reflection") if "go to the sea" in one.content]
    shown = reasons(world, f"memory:{insight.id}")
    assert shown is not None and "I swim in the sea after hard days." in [turn["text"] for turn in shown["turns"]]
    assert all(one.turn_ids for one in night.all())
    assert night.get(4).beta == pytest.approx(4.3) and night.get(4).compressed == "black coffee without sugar"
    before = left(tmp_path)
    world.clock.pass_(days=1)  # type: ignore[attr-defined]
    again = await dying.night(world)
    assert left(tmp_path) == before, again


async def think(home: Path) -> None:
    await dying.night(dying.awake_in(home))


def lying(home: Path) -> None:
    with opened(home) as database:
        fill(dying.world_in(home, database), FrozenClock())


@pytest.mark.slow
@pytest.mark.faults
def test_killed_anywhere_the_next_run_finishes_and_nothing_is_done_twice(tmp_path: Path, empty_database: Path) -> None:
    trial = Trial(Work(think, lying, left), empty_database, tmp_path)
    found = trial.alive
    assert len({row[2] for row in found["memories"]}) == len(found["memories"])
    assert len(set(found["log"])) == len(found["log"])
    trial.survives_each()
