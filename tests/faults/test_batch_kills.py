"""A real night over a real server: questions handed in together, a run that is killed, and nothing paid twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from furoshiki.app import run_job
from furoshiki.core.process.crash_points import CRASHED
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER, NewTurn
from furoshiki.mind.inner_life.store import self_questions
from furoshiki.recall.retrieval.client import Vectors, VectorsAway
from tests.emulators.llm import LLMEmulator, Structured
from tests.emulators.llm.request import Request
from tests.support import deaths
from tests.support.deaths import new_home, opened

pytestmark = [pytest.mark.faults, pytest.mark.slow]

KNOWN = {"swim": "They swim in the sea after hard days.", "row": "They row on the river on Sundays."}
ASKED = ("When do they swim in the sea?", "When do they row on the river?")


def night() -> None:
    """The script as the brain starts it, without memoryd."""

    def away(*_: Any, **__: Any) -> Any:
        raise VectorsAway("not in this test")

    setattr(Vectors, "_ask", away)  # noqa: B010 - in this process alone
    outcome = run_job.run("run_question_processing")
    print(outcome.as_json())
    raise SystemExit(outcome.exit_code)


def is_read(request: Request) -> bool:
    """Whether a reader is asked for what another mind answered."""
    return "<question>" not in request.text


def says(request: Request) -> Structured:
    """What stands in the memory that the question is about; a reader finds it there."""
    if is_read(request):
        return Structured({"answers": [{"id": 1, "answer": "supported"}]})
    asked = next(what for what in KNOWN if f"{what} " in request.text.partition("</question>")[0])
    cited = re.search(rf"\[(\d+) · [^\]]*\] {re.escape(KNOWN[asked])}", request.text)
    assert cited is not None
    return Structured({"verdict": "answered", "answer": KNOWN[asked], "memories": [int(cited[1])], "raises": None})


@pytest.fixture
def llm() -> Iterator[LLMEmulator]:
    with LLMEmulator(says) as emulator:
        yield emulator


@pytest.fixture
def home(empty_database: Path, tmp_path: Path) -> Path:
    made = new_home(empty_database, tmp_path / "home")
    then = datetime.now(UTC) - timedelta(hours=2)
    with opened(made) as database, database.write() as db:
        for text in KNOWN.values():
            turn = turns.add(db, NewTurn("s1", "console", "me", USER, text, then))
            memories.add(db, NewMemory("semantic", text, (turn,)), then)
        for text in ASKED:
            self_questions.add(db, text, "inner_monologue:2026-03-24", then)
    return made


@pytest.mark.parametrize("dies_at", ["batches.handed_in", "questions.answered:2"])
def test_a_night_that_was_killed_is_finished_with_the_answers_it_paid(
    llm: LLMEmulator, home: Path, dies_at: str
) -> None:
    environ = {
        "FUROSHIKI_DATA": str(home),
        "FUROSHIKI_BATCH": "on",
        "ANTHROPIC_API_KEY": "test",
        "ANTHROPIC_BASE_URL": llm.anthropic_url,
        "FUROSHIKI_MODEL_CHAT": "anthropic:claude-sonnet-5-5",
    }
    killed = deaths.run(night, dies_at=dies_at, **environ)
    assert killed.status == CRASHED, killed.output
    finished = deaths.run(night, **environ)
    assert finished.status == 0, finished.output
    assert [len(one.requests) for one in llm.batches.all.values()] == [2], "one batch, handed in once"
    paid = [request for request in llm.requests if not is_read(request)]
    assert len(paid) == 2 and all("batch" in request.extra for request in paid)
    with opened(home) as database, database.read() as db:
        calls = db.execute("SELECT batch, cost_usd, error FROM llm_calls WHERE purpose!='grounding'").fetchall()
        answered = db.execute("SELECT state, answer FROM self_questions ORDER BY id").fetchall()
    assert [(row["batch"], row["error"]) for row in calls] == [(1, None)] * 2
    assert all(row["cost_usd"] > 0 for row in calls)
    assert [tuple(row) for row in answered] == [("answered", text) for text in KNOWN.values()]
