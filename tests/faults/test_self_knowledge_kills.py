"""Killed while it writes down how it works, or while it explores: the next run finishes, and nothing is there twice."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from furoshiki.core.crash_points import CRASHED
from furoshiki.core.database import kv
from furoshiki.core.database.connection import Database
from furoshiki.core.paths import ROOT
from furoshiki.inner_life import knowledge_sources
from furoshiki.inner_life.rules.documents import Chunk
from furoshiki.inner_life.store import design_docs, explorations, self_questions
from tests.support.laws import NOON
from tests.support.processes import killed_at
from tests.support.script_costs import HEAVY, PEAK_MB

pytestmark = [pytest.mark.faults, pytest.mark.slow]

_WRITE = """
import os, sys
os.environ["FUROSHIKI_DATA"] = sys.argv[1]
import furoshiki.retrieval.client
def away(*_, **__):
    raise furoshiki.retrieval.client.VectorsAway("not in this test")
furoshiki.retrieval.client.Vectors._ask = away
from furoshiki.app import run_job
outcome = run_job.run("embed_design_docs")
print(outcome.summary)
raise SystemExit(outcome.exit_code)
"""

WRITING = (
    "run.begun",
    "atomic.before_rename",
    "atomic.after_rename",
    "design.file_written",
    "design.before_commit",
    "store.before_commit:2",
    "store.after_commit:2",
    "design.kept",
    "run.done",
)

_EXPLORE = """
import asyncio, sys
from dataclasses import replace
from pathlib import Path
from furoshiki.llm.values import Answer
from furoshiki.llm.structured import ask_typed
from furoshiki.inner_life.questions import exploration
from furoshiki.core.database.connection import Database
from tests.support.dying_night import world_in

here = Path(sys.argv[1])

async def say(question):
    answer = '"answer": "I look back at the day at 15:00.", "cites": ["design:1"], "raises": "Why?"'
    text = '{"verdict": "answered", ' + answer + '}'
    return Answer(text, "stop", "s", "s", question.tier)

async def ask(question, on_text=None):
    return await ask_typed(question, say)

world = world_in(here, Database(here / "memory" / "longmemory.sqlite", busy_seconds=5.0))
asyncio.run(exploration.explore(replace(world, ask=ask)))
"""

EXPLORING = (
    "exploring.before_begun",
    "exploring.begun",
    "exploring.answered",
    "questions.before_commit",
    "questions.kept",
    "store.before_commit:2",
    "store.after_commit:2",
)


def _parts(database: Database) -> list[tuple[str, str, str]]:
    with database.read() as db:
        return [(one.source, one.heading, one.text) for one in design_docs.every(db)]


def _written(folder: Path, database: Database) -> str:
    """Everything is there, once: the page, its parts, and the mark of what they were made from."""
    found = _parts(database)
    text = (folder / knowledge_sources.REALITY).read_text(encoding="utf-8")
    assert len(set(found)) == len(found) > 100
    lines = [line for source, _, part in found if source == knowledge_sources.REALITY for line in part.splitlines()]
    told = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    assert sorted(told) == sorted(lines)
    assert {source for source, _, _ in found} == {knowledge_sources.REALITY, *knowledge_sources.documents()}
    with database.read() as db:
        assert kv.get(db, knowledge_sources.INPUTS)
    return text


@pytest.mark.parametrize("point", WRITING)
def test_what_it_knows_of_itself_is_whole_wherever_it_was_killed(
    tmp_path: Path, database: Database, point: str
) -> None:
    assert killed_at(point, _WRITE, tmp_path) == CRASHED
    assert killed_at("nowhere", _WRITE, tmp_path) == 0
    _written(tmp_path, database)


def test_twenty_deaths_leave_what_one_run_leaves(tmp_path: Path, database: Database) -> None:
    dice = random.Random(20)
    for number in range(20):
        (tmp_path / "memory" / "schedules.json").write_text(
            json.dumps({"jobs": [{"name": "backup", "when": f"daily 0{number % 10}:15"}]})
        )
        assert killed_at(dice.choice(WRITING), _WRITE, tmp_path) == CRASHED
        assert len(set(_parts(database))) == len(_parts(database))
    assert killed_at("nowhere", _WRITE, tmp_path) == 0
    assert "- Daily 09:15 UTC (`backup`)" in _written(tmp_path, database)


@pytest.mark.parametrize("point", EXPLORING)
def test_a_curiosity_is_answered_once_wherever_it_was_killed(tmp_path: Path, database: Database, point: str) -> None:
    with database.write() as db:
        design_docs.keep(db, {"page": [Chunk("When", "A look back at the day, daily at 15:00.")]}, NOON)
        self_questions.add(db, "When do I look back at the day?", "test", NOON, kind="curiosity")
        self_questions.sort(db, 1, "self")
    assert killed_at(point, _EXPLORE, tmp_path) == CRASHED
    assert killed_at("nowhere", _EXPLORE, tmp_path) == 0
    with database.read() as db:
        states = [(one.question, one.state) for one in self_questions.every(db)][::-1]
        kept = [tuple(row) for row in db.execute("SELECT content, status FROM memories")]
        begun = explorations.since(db, NOON)
    assert states == [("When do I look back at the day?", "answered"), ("Why?", "open")]
    assert kept == [("I looked up how I work: I look back at the day at 15:00.", "active")]
    assert begun <= 2, "and a death does not make it ask all day"


def test_with_nothing_to_do_the_script_costs_next_to_nothing(tmp_path: Path, database: Database) -> None:
    assert killed_at("nowhere", _WRITE, tmp_path) == 0
    database.close()
    probe = (
        "import atexit, json, resource, runpy, sys\n"
        "def tell():\n"
        "    used = resource.getrusage(resource.RUSAGE_SELF)\n"
        "    peak = int(open('/proc/self/status').read().partition('VmHWM:')[2].split()[0]) / 1024\n"
        "    cpu = used.ru_utime + used.ru_stime\n"
        "    print(json.dumps({'modules': list(sys.modules), 'cpu': cpu, 'peak': peak}))\n"
        "atexit.register(tell)\n"
        "sys.argv = ['embed_design_docs.py']\n"
        f"runpy.run_path({str(ROOT / 'scripts' / 'embed_design_docs.py')!r}, run_name='__main__')\n"
    )
    runs = [_run(probe, tmp_path) for _ in range(4)]
    assert all(said == "embed_design_docs: it works as it did" for said, _ in runs)
    for _, found in runs:
        assert not {module.partition(".")[0] for module in found["modules"]} & set(HEAVY)
        assert found["peak"] < PEAK_MB
    print(f"{min(found['cpu'] for _, found in runs):.3f} s of CPU")


def _run(probe: str, data: Path) -> tuple[str, dict[str, Any]]:
    environ = {**os.environ, "FUROSHIKI_DATA": str(data), "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-P", "-c", probe], env=environ, capture_output=True, text=True, check=True)
    said, told = done.stdout.splitlines()
    return said, json.loads(told)
