"""Killed while it writes its journal, the companion writes it at the next run: once, with all that comes of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from furoshiki.core.errors import NoMindAnswered
from furoshiki.feelings.rules.emotions import NAMES
from furoshiki.feelings.store import history
from furoshiki.messages.store import turns
from furoshiki.mind.inner_life.journal.forms import Musing
from furoshiki.mind.inner_life.store import monologue
from furoshiki.models.llm.values import Answer, Question
from tests.support import job_runs
from tests.support.deaths import Trial, Work, opened, rows_in
from tests.support.rows import user_said

pytestmark = [pytest.mark.faults, pytest.mark.slow]

EVENING = datetime(2026, 3, 3, 18, tzinfo=UTC)
SAID = [1]
MUSING = Musing.model_validate(
    {
        "entry": [{"text": "They start at the harbour on Monday.", "messages": SAID}],
        "anticipations": [
            {
                "need": "A word before the harbour.",
                "why": "It is on Monday.",
                "when": "2026-03-08",
                "expires": "2026-03-10",
                "messages": SAID,
            }
        ],
        "curiosities": [{"text": "What is the harbour like?", "messages": SAID}],
        "thoughts": [{"text": "Ask how Monday at the harbour went.", "messages": SAID}],
    }
)
LEFT = {
    "entries": "SELECT kind, day FROM inner_monologue ORDER BY id",
    "expected": "SELECT text, state FROM anticipations",
    "questions": "SELECT question, kind, state FROM self_questions",
    "thoughts": "SELECT summary, state FROM mind_queue",
}


async def muse(question: Question) -> Answer:
    if question.purpose == "grounding":
        raise NoMindAnswered("nobody")
    return Answer("", "stop", "scripted", "script", question.tier, parsed=MUSING)


def write(home: Path) -> None:
    """Write the journal of a day, in its script."""
    job_runs.run(home, "run_inner_monologue", EVENING, muse)


def write_twice(home: Path) -> None:
    write(home)
    write(home)


def day(home: Path) -> None:
    with opened(home) as database, database.write() as db:
        turns.add(db, user_said("I start at the harbour on Monday"))
        for hours in (20, 10, 1):
            history.record(
                db, EVENING - timedelta(hours=hours), dict.fromkeys(NAMES, 0.1 * hours / 2), {}, "content", "tick"
            )


def left(home: Path) -> dict[str, Any]:
    with opened(home) as database, database.read() as db:
        texts, unfiled = [entry.text for entry in monologue.newest(db, 10)], monologue.list_unfiled(db)
    pages = {path.name: path.read_text("utf-8") for path in (home / "memory" / "inner-monologue").glob("*.md")}
    pictures = [path.name for path in (home / "memory" / "inner-monologue").glob("*.svg")]
    return {**rows_in(home, LEFT), "texts": texts, "unfiled": unfiled, "pages": pages, "pictures": pictures}


def test_a_day_is_written_once_wherever_it_was_killed(empty_database: Path, tmp_path: Path) -> None:
    trial = Trial(Work(write, day, left, finish=write_twice), empty_database, tmp_path)
    found = trial.alive
    [text], [page] = found["texts"], found["pages"].values()
    assert page.count(text) == 1 and found["unfiled"] == []
    assert [name in page for name in found["pictures"]] == [True]
    assert [len(found[name]) for name in ("entries", "expected", "questions", "thoughts")] == [1, 1, 1, 1]
    trial.survives_each()
