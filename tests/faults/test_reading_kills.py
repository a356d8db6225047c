"""Killed while it reads a conversation, or while the tick takes in what was read: nothing is lost, nothing doubled."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from furoshiki.mind.inner_life import soul_engine
from furoshiki.mind.post_conversation.reading import read_sessions
from tests.support import hostile_readings as hostile
from tests.support.deaths import Trial, Work, opened, rows_in
from tests.support.dying_night import awake_in, world_in
from tests.support.hostile_readings import GOOD, HONEST, JOB, MOVE, ZOO

pytestmark = [pytest.mark.faults, pytest.mark.slow]

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


async def read(home: Path) -> None:
    """Read what was said, with a mind that says READING, and take in what was read."""
    world = awake_in(home)
    await read_sessions(hostile.reads(world, json.dumps(READING)))
    soul_engine.tick(world)


def fill(home: Path) -> None:
    with opened(home) as database:
        hostile.prepare(world_in(home, database))


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


def left(home: Path) -> dict[str, Any]:
    beat = json.loads((home / "memory" / "heartbeat-state.json").read_text())
    return {**rows_in(home, LEFT), "emotions": beat["emotions"], "user_needs": beat["user_needs"]}


@pytest.fixture(scope="module")
def trial(empty_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Trial:
    return Trial(Work(read, fill, left), empty_database, tmp_path_factory.mktemp("read"))


def test_a_conversation_is_read_once_wherever_it_was_killed(trial: Trial) -> None:
    found = trial.alive
    for name in ("weights", "questions", "judged", "needs", "style", "refused", "queue"):
        assert found[name], f"the reading leaves {name}"
    assert found["expected"][0][1] == "miss" and [kind for kind, _ in found["events"]].count("session_closed") == 1
    trial.survives_each()


def test_many_deaths_in_a_row_do_no_more_harm_than_one(trial: Trial) -> None:
    trial.survives_many(6, seed=4)
