"""Killed while it reads a conversation, or while the tick takes in what was read: nothing is lost, nothing doubled."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from furoshiki.core.crash_points import CRASHED
from furoshiki.core.database.connection import Database
from tests.support import hostile_readings as hostile
from tests.support.dying_night import world_in
from tests.support.hostile_readings import GOOD, HONEST, JOB, MOVE, ZOO
from tests.support.processes import killed_at

pytestmark = [pytest.mark.faults, pytest.mark.slow]

POINTS = (
    "post_conversation.answered",
    "post_conversation.before_commit",
    "store.before_commit",
    "store.after_commit",
    "store.after_commit:2",
    "store.before_commit:3",
    "atomic.before_rename",
    "atomic.after_rename",
    "atomic.after_rename:2",
    "soul.state_written",
)

READING: dict[str, Any] = {
    **HONEST,
    "topics": ["the harbour", "the divorce"],
    "facts": [GOOD],
    "follow_ups": [{"text": "Ask how Monday at the harbour went.", "messages": [JOB]}],
    "feelings": {"excitement": 0.7},
    "moved_by": {"text": "They start a new job at the harbour on Monday.", "messages": [JOB]},
    "user_needs": [{"need": "challenge", "level": 0.9, "confidence": 0.7, "messages": [MOVE]}],
    "anticipations": [{"id": 1, "outcome": "miss", "messages": [JOB]}],
    "commitments": [{"id": 1, "verdict": "broken", "messages": [ZOO]}],
    "contradictions": [
        {
            "value": "You never claim that the person said, did or felt something that is not in front of you.",
            "message": ZOO,
            "question": "Why did I claim that they adore chess, although I never claim what is not in front of me?",
        }
    ],
    "style": {"challenge_appetite": 8, "depth_preference": 3},
    "authentic": 2,
    "grounded": 1,
    "events": ["excitement_triggered"],
}

_READ = """
import asyncio, sys
from pathlib import Path
from furoshiki.inner_life import soul_engine
from furoshiki.inner_life.post_conversation.reading import read_sessions
from furoshiki.core.database.connection import Database
from tests.support import hostile_readings as hostile
from tests.support.dying_night import world_in

here = Path(sys.argv[1])
world = world_in(here, Database(here / "memory" / "longmemory.sqlite", busy_seconds=5.0))
asyncio.run(read_sessions(hostile.reads(world, sys.argv[2])))
soul_engine.tick(world)
"""

LEFT = {
    "memories": "SELECT type, content, status, alpha, beta FROM memories ORDER BY id",
    "sources": "SELECT memory_id, turn_id FROM memory_sources ORDER BY 1, 2",
    "sessions": "SELECT session_id, document FROM sessions ORDER BY id",
    "weights": "SELECT session_id, feelings, note, turn_ids FROM emotional_weights",
    "queue": "SELECT summary, state, source FROM mind_queue ORDER BY dedupe_key",
    "questions": "SELECT question, state FROM self_questions ORDER BY id",
    "expected": "SELECT text, state FROM anticipations",
    "promises": "SELECT text, failures_in_row FROM commitments",
    "judged": "SELECT commitment_id, session_id, verdict FROM commitment_judgements",
    "needs": "SELECT need, round(level, 4), round(confidence, 4), evidence, cause FROM user_needs_history ORDER BY id",
    "style": "SELECT name, round(value, 4), observations FROM style_dimensions ORDER BY name",
    "events": "SELECT kind, applied_at IS NOT NULL FROM system_events ORDER BY id",
    "refused": "SELECT kind, content FROM rejected_extractions ORDER BY id",
}


def left(folder: Path, database: Database) -> dict[str, Any]:
    with database.read() as db:
        found: dict[str, Any] = {name: [tuple(row) for row in db.execute(sql)] for name, sql in LEFT.items()}
    beat = json.loads((folder / "memory" / "heartbeat-state.json").read_text())
    return {**found, "emotions": beat["emotions"], "user_needs": beat["user_needs"]}


def begun(folder: Path, empty_database: Path) -> Database:
    path = folder / "memory" / "longmemory.sqlite"
    path.parent.mkdir(parents=True)
    path.write_bytes(empty_database.read_bytes())
    database = Database(path, busy_seconds=5.0)
    hostile.prepare(world_in(folder, database))
    return database


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> dict[str, Any]:
    """What a run leaves that nobody disturbed."""
    folder = tmp_path_factory.mktemp("whole")
    database = begun(folder, empty_database)
    assert killed_at("nowhere", _READ, folder, json.dumps(READING)) == 0
    found = left(folder, database)
    database.close()
    for name in ("weights", "questions", "judged", "needs", "style", "refused", "queue"):
        assert found[name], f"the reading leaves {name}"
    assert found["expected"][0][1] == "miss" and [kind for kind, _ in found["events"]].count("session_closed") == 1
    return found


@pytest.mark.parametrize("point", POINTS)
def test_a_conversation_is_read_once_wherever_it_was_killed(
    tmp_path: Path, empty_database: Path, whole: dict[str, Any], point: str
) -> None:
    folder = tmp_path / "cut"
    database = begun(folder, empty_database)
    assert killed_at(point, _READ, folder, json.dumps(READING)) == CRASHED
    assert killed_at("nowhere", _READ, folder, json.dumps(READING)) == 0
    assert left(folder, database) == whole
    database.close()


def test_many_deaths_in_a_row_do_no_more_harm_than_one(
    tmp_path: Path, empty_database: Path, whole: dict[str, Any]
) -> None:
    folder = tmp_path / "cut"
    database = begun(folder, empty_database)
    dice = random.Random(4)
    for _ in range(6):
        assert killed_at(dice.choice(POINTS), _READ, folder, json.dumps(READING)) in (0, CRASHED)
    assert killed_at("nowhere", _READ, folder, json.dumps(READING)) == 0
    assert left(folder, database) == whole
    database.close()
