"""Killed while it writes down who the user is: the next run finishes, nothing is listed twice, no file is half."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from furoshiki.core.crash_points import CRASHED
from furoshiki.core.database.connection import Database
from furoshiki.memory.store import memories
from furoshiki.memory.store.memories import NewMemory
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER, NewTurn
from furoshiki.user_model import profile_files
from furoshiki.user_model.rules import profile as profile_rules
from furoshiki.user_model.store import profiles
from tests.support.laws import NOON
from tests.support.processes import killed_at

pytestmark = [pytest.mark.faults, pytest.mark.slow]

POINTS = (
    "profile.answered",
    "profile.before_commit",
    "profile.committed",
    "profile.file_written",
    "profile.file_written:2",
    "store.before_commit",
    "store.after_commit",
    "store.after_commit:2",
    "atomic.after_rename",
    "atomic.before_rename:3",
    "atomic.after_rename:2",
)

_REFINE = """
import asyncio, json, sys
from dataclasses import replace
from pathlib import Path
from furoshiki.llm.values import Answer
from furoshiki.llm.structured import ask_typed
from furoshiki.user_model import profile
from furoshiki.core.database.connection import Database
from tests.support.dying_night import world_in

here = Path(sys.argv[1])
FACTS = [("They live in Lisbon.", [1]), ("They work at the harbour.", [2]), ("They are a spy.", [2])]
SAID = [{"text": text, "facts": facts, "section": "other"} for text, facts in FACTS]

async def say(question):
    with (here / "asked").open("a") as told:
        told.write("once\\n")
    return Answer(json.dumps({"mini": SAID, "reference": SAID, "unsure": []}), "stop", "s", "s", question.tier)

async def ask(question, on_text=None):
    return await ask_typed(question, say)

world = world_in(here, Database(here / "memory" / "longmemory.sqlite", busy_seconds=5.0))
asyncio.run(profile.refine(replace(world, ask=ask)))
"""


def _known(database: Database) -> None:
    with database.write() as db:
        for text in ("They live in Lisbon.", "They work at the harbour."):
            turn = turns.add(db, NewTurn("s", "console", "console", USER, text, NOON))
            memories.add(db, NewMemory("semantic", text, (turn,)), NOON)


def _whole(database: Database, folder: Path) -> None:
    """Everything is there, once, and the files say what the database says."""
    with database.read() as db:
        held = profiles.held(db)
        refused = [row["content"] for row in db.execute("SELECT content FROM rejected_extractions")]
    assert held is not None and not held.unwritten
    assert held.number == 1, "written once"
    assert refused == ["They are a spy."]
    assert profile_rules.mini_text(held.profile.mini) == "They live in Lisbon. They work at the harbour."
    for name, text in profile_files.texts(held.profile).items():
        assert (folder / name).read_text() == f"{text}\n"
    assert [
        path.name for path in folder.glob("user_profile*") if path.name not in profile_files.texts(held.profile)
    ] == []


@pytest.mark.parametrize("point", POINTS)
def test_a_profile_is_written_once_wherever_it_was_killed(tmp_path: Path, database: Database, point: str) -> None:
    _known(database)
    assert killed_at(point, _REFINE, tmp_path) == CRASHED
    asked = len((tmp_path / "asked").read_text().splitlines()) if (tmp_path / "asked").exists() else 0
    with database.read() as db:
        kept = profiles.held(db)
    assert killed_at("nowhere", _REFINE, tmp_path) == 0
    _whole(database, tmp_path / "memory")
    again = len((tmp_path / "asked").read_text().splitlines())
    assert again == asked + (kept is None), "what was kept is not asked for again"


def test_many_deaths_in_a_row_do_no_more_harm_than_one(tmp_path: Path, database: Database) -> None:
    _known(database)
    dice = random.Random(20)
    for _ in range(6):
        assert killed_at(dice.choice(POINTS), _REFINE, tmp_path) in (0, CRASHED)
        for path in (tmp_path / "memory").glob("user_profile_gaps.json"):
            json.loads(path.read_text())
    assert killed_at("nowhere", _REFINE, tmp_path) == 0
    _whole(database, tmp_path / "memory")
