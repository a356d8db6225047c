"""Killed while it writes its journal, the companion writes it at the next run: once, with all that comes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from furoshiki.agenda.store import mind_queue
from furoshiki.core.crash_points import CRASHED
from furoshiki.core.database.connection import Database
from furoshiki.inner_life.store import monologue, self_questions
from furoshiki.messages.store import turns
from furoshiki.user_model.store import anticipations
from tests.support.laws import NOON
from tests.support.processes import killed_at
from tests.support.rows import user_said

pytestmark = [pytest.mark.faults, pytest.mark.slow]

_NIGHT = """
import os, sys
os.environ["FUROSHIKI_DATA"] = sys.argv[1]
from datetime import UTC, datetime
from furoshiki.app import run_job
from furoshiki.llm.values import Answer
from furoshiki.llm.gateway import Gateway
from furoshiki.inner_life.journal.forms import Musing
import furoshiki.retrieval.client
def away(*_, **__):
    raise furoshiki.retrieval.client.VectorsAway("not in this test")
furoshiki.retrieval.client.Vectors._ask = away
async def ask(self, question, on_text=None):
    said = [1]
    parsed = Musing.model_validate({
        "entry": [{"text": "They start at the harbour on Monday.", "messages": said}],
        "anticipations": [{"need": "A word before the harbour.", "why": "It is on Monday.", "when": "2026-03-08",
                           "expires": "2026-03-10", "messages": said}],
        "curiosities": [{"text": "What is the harbour like?", "messages": said}],
        "thoughts": [{"text": "Ask how Monday at the harbour went.", "messages": said}],
    })
    return Answer("", "stop", "scripted", "script", question.tier, parsed=parsed)
Gateway.ask = ask
outcome = run_job.run("run_inner_monologue", now=datetime(2026, 3, 3, 18, tzinfo=UTC))
print(outcome.summary)
raise SystemExit(outcome.exit_code)
"""

POINTS = (
    "run.begun",
    "monologue.answered",
    "monologue.before_commit",
    "store.before_commit:2",
    "store.after_commit:2",
    "atomic.before_rename",
    "atomic.after_rename",
    "journal.page_written",
    "store.before_commit:3",
    "run.done",
)


@pytest.mark.parametrize("point", POINTS)
def test_a_night_is_written_once(tmp_path: Path, database: Database, point: str) -> None:
    with database.write() as db:
        turns.add(db, user_said("I start at the harbour on Monday"))
    assert killed_at(point, _NIGHT, tmp_path) == CRASHED
    for _ in range(2):
        assert killed_at("nowhere", _NIGHT, tmp_path) == 0
    with database.read() as db:
        (entry,) = monologue.newest(db, 10)
        assert len(anticipations.open_(db, NOON)) == 1
        assert len(self_questions.pending(db)) == 1
        assert mind_queue.count_pending(db) == 1
        assert monologue.unfiled(db) == []
    (page,) = (tmp_path / "memory" / "inner-monologue").glob("*.md")
    assert page.read_text(encoding="utf-8").count(entry.text) == 1
