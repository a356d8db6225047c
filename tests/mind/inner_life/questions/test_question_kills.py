"""Killed anywhere while it looks into its questions: none is lost, none doubled, and the next run finishes."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.core.process.crash_points import CRASHED
from furoshiki.memory.store import memories
from furoshiki.messages.store import turns
from tests.support import questioning
from tests.support.deaths import Trial, Work, opened, rows_in, run
from tests.support.dying_night import awake_in
from tests.support.rows import user_said
from tests.support.thinking import SEA, Night
from tests.support.wondering import wonder
from tests.support.world import FrozenClock, Script

LEFT = {
    "questions": "SELECT kind, question, state, triage, tried, answer, memory_id FROM self_questions ORDER BY id",
    "times": "SELECT count(*) FROM self_question_times",
    "memories": "SELECT type, content FROM memories ORDER BY id",
    "sources": "SELECT memory_id, turn_id FROM memory_sources ORDER BY 1, 2",
    "links": "SELECT from_id, relation, to_id FROM memory_links ORDER BY id",
    "queue": "SELECT summary, state, source FROM mind_queue ORDER BY id",
    "refused": "SELECT content FROM rejected_extractions",
}


async def look_into(home: Path) -> None:
    await questioning.night(awake_in(home, ask=questioning.ask))


def fill(folder: Path, database: Database) -> Night:
    """Memories, two questions, and three curiosities: for the user, for itself, and one no rule can sort."""
    night = Night(questioning.world_of(folder, database), Script(), FrozenClock())
    night.learns(*SEA)
    with database.write() as db:  # a day with a word: in silence it would look into one question only
        turns.add(db, user_said("it rains here", night.world.now - timedelta(hours=2)))
    wonder(night.world, ["Why do they go to the sea after hard days?", "What is rain to them?"], "sessions:s")
    wonder(
        night.world,
        [
            "Would they like a call on their birthday?",
            "How often did they speak of Anika?",
            "What do people see in late ships?",
        ],
        "inner_monologue:1",
        kind="curiosity",
    )
    return night


def lying(home: Path) -> None:
    with opened(home) as database:
        fill(home, database)


def left(home: Path) -> dict[str, list[tuple[Any, ...]]]:
    return rows_in(home, LEFT)


async def test_a_night_leaves_every_question_where_it_belongs(tmp_path: Path, database: Database) -> None:
    night = fill(tmp_path, database)
    await questioning.night(night.world)
    found = [(row[1], row[2], row[3]) for row in left(tmp_path)["questions"]]
    assert found == [
        ("Why do they go to the sea after hard days?", "answered", None),
        ("What is rain to them?", "user_required", "user"),
        ("Would they like a call on their birthday?", "user_required", "user"),
        ("How often did they speak of Anika?", "open", "self"),
        ("What do people see in late ships?", "open", "self"),  # the day explores it
    ]


@pytest.mark.slow
async def test_after_a_kill_during_an_answer_the_next_run_asks_again(tmp_path: Path, database: Database) -> None:
    night = fill(tmp_path, database)
    await questioning.night(night.world)
    with database.write() as db:
        memories.close(db, 1, night.clock.at)
    ended = run(look_into, tmp_path, dies_at="questions.before_reopening")
    assert ended.status == CRASHED, ended.output
    assert left(tmp_path)["questions"][0][2] == "answered"
    await questioning.night(night.world)
    first = left(tmp_path)["questions"][0]
    assert (first[2], first[5], first[6]) == ("open", None, None), "what it would rest on is gone: refused"
    assert [one.status for one in night.all("reflection")] == ["superseded"]


@pytest.mark.slow
def test_killed_anywhere_the_next_run_finishes(tmp_path: Path, empty_database: Path) -> None:
    Trial(Work(look_into, lying, left), empty_database, tmp_path).survives_each()
