"""Killed while it looks at itself, or its owner decides: the next run finishes, and nothing is lost or doubled."""

from __future__ import annotations

import random
from datetime import timedelta
from pathlib import Path

import pytest

from furoshiki.core.crash_points import CRASHED
from furoshiki.core.database.connection import Database
from furoshiki.core.paths import ROOT
from furoshiki.inner_life.rules import self_description as description_rules
from furoshiki.inner_life.self_model import description
from furoshiki.inner_life.store import drift, monologue
from furoshiki.inner_life.store.drift import NewDrift
from furoshiki.inner_life.store.monologue import Passage
from furoshiki.messages.store import turns
from tests.support.dying_night import NIGHT
from tests.support.laws import NOON
from tests.support.processes import killed_at
from tests.support.rows import user_said

pytestmark = [pytest.mark.faults, pytest.mark.slow]

POINTS = (
    "self.answered",
    "self.before_commit",
    "self.committed",
    "self.file_written",
    "store.before_commit",
    "store.after_commit",
    "store.before_commit:2",
    "store.after_commit:2",
    "atomic.before_rename",
    "atomic.after_rename",
)
DECIDING = (
    "atomic.after_rename",  # the proposal's file
    "self.proposal_written",
    "self.decided",
    "self.file_written",
    "store.before_commit:2",
    "store.after_commit:2",
    "atomic.after_rename:2",
)

NEW = "I leave more room than I did."
SHIFT = "I leave more room."
SHIPPED = (ROOT / "config" / "identity" / "SELF.md").read_text(encoding="utf-8").strip()

_WORLD = """
import asyncio, json, sys
from dataclasses import replace
from pathlib import Path
from furoshiki.inner_life.rules import self_description as description_rules
from furoshiki.llm.values import Answer
from furoshiki.llm.structured import ask_typed
from furoshiki.inner_life.self_model import deep_reflection, description as self_description
from furoshiki.core.database.connection import Database
from tests.support.dying_night import world_in

here = Path(sys.argv[1])
world = world_in(here, Database(here / "memory" / "longmemory.sqlite", busy_seconds=5.0))
"""

_LOOK = (
    _WORLD
    + """
async def say(question):
    with (here / "asked").open("a") as told:
        told.write("once\\n")
    kept = [{"text": one, "rests_on": []} for one in description_rules.sentences(self_description.text(world))]
    new = [{"text": text, "rests_on": ["entry:1"]} for text in ("I leave more room than I did.", "They left them.")]
    told = {"themes": [], "shifts": [{"text": "I leave more room.", "rests_on": ["entry:1"]}]}
    told["description"] = [{"sentences": kept}, {"sentences": new}]
    return Answer(json.dumps(told), "stop", "s", "s", question.tier)

async def ask(question, on_text=None):
    return await ask_typed(question, say)

asyncio.run(deep_reflection.reflect(replace(world, ask=ask)))
"""
)

_ACCEPT = (
    _WORLD
    + """
try:
    self_description.accept(world)
except self_description.NothingProposed:
    self_description.settle(world)
"""
)


def _week(database: Database) -> None:
    with database.write() as db:
        turn = turns.add(db, user_said("that was a lot of questions"))
        passage = Passage("I want to leave more room.", (turn,))
        monologue.add(db, "journal", "2026-03-26", [passage], "s", turn, NIGHT - timedelta(hours=2))


def _whole(folder: Path, database: Database) -> None:
    with database.read() as db:
        [look] = drift.newest(db, 10)
        assert drift.unfiled(db) == []
        observed = db.execute("SELECT content FROM memories WHERE category='self'").fetchall()
        refused = db.execute("SELECT content FROM rejected_extractions").fetchall()
    assert look.text == f"{SHIPPED}\n\n{NEW}"
    assert [row["content"] for row in observed] == [SHIFT]
    assert [row["content"] for row in refused] == ["They left them."]
    path = description.path(folder)
    assert path.read_text(encoding="utf-8") == f"{look.text}\n"


@pytest.mark.parametrize("point", POINTS)
def test_a_look_is_kept_once_wherever_it_was_killed(tmp_path: Path, database: Database, point: str) -> None:
    _week(database)
    assert killed_at(point, _LOOK, tmp_path) == CRASHED
    path = description.path(tmp_path)
    assert not path.exists() or path.read_text(encoding="utf-8").rstrip().endswith(NEW), "old or new, never in between"
    asked = len((tmp_path / "asked").read_text().splitlines())
    with database.read() as db:
        kept = drift.newest(db, 10)
    assert killed_at("nowhere", _LOOK, tmp_path) == 0
    _whole(tmp_path, database)
    again = len((tmp_path / "asked").read_text().splitlines())
    assert again == asked + (not kept), "what was kept is not asked for again"


def test_many_deaths_in_a_row_do_no_more_harm_than_one(tmp_path: Path, database: Database) -> None:
    _week(database)
    dice = random.Random(20)
    for _ in range(6):
        assert killed_at(dice.choice(POINTS), _LOOK, tmp_path) in (0, CRASHED)
    assert killed_at("nowhere", _LOOK, tmp_path) == 0
    _whole(tmp_path, database)


@pytest.mark.parametrize("point", DECIDING)
def test_a_decision_is_carried_out_once(tmp_path: Path, database: Database, point: str) -> None:
    new = f"{SHIPPED}\n\n{NEW}"
    share = description_rules.changed_share(SHIPPED, new)
    with database.write() as db:
        drift.add(db, NewDrift(SHIPPED, new, "", 0.9, share, (), (), "s", 0, "proposed"), NOON)
    assert killed_at(point, _ACCEPT, tmp_path) == CRASHED
    assert killed_at("nowhere", _ACCEPT, tmp_path) == 0
    with database.read() as db:
        [look] = drift.newest(db, 10)
    assert look.state == "accepted" and look.filed_at is not None
    assert description.path(tmp_path).read_text(encoding="utf-8") == f"{new}\n"
    assert list((tmp_path / "proposals").iterdir()) == []
