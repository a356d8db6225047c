"""One run of a script: asked first, done once at a time, written down, and ended clearly whatever happens."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from furoshiki.app import run_job
from furoshiki.app.jobs import Job, Step
from furoshiki.app.scheduler.store import runs
from furoshiki.app.wiring import SystemClock, build_world
from furoshiki.core.atomic_files import locked
from furoshiki.core.database import kv
from furoshiki.core.database.connection import Database
from furoshiki.core.settings import load
from furoshiki.messages.roles import Person
from furoshiki.owner.people.places import People
from tests.support import cases

NOW = datetime(2026, 3, 24, 15, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data directory with a database, and the log put back as it was."""
    monkeypatch.setenv("FUROSHIKI_DATA", str(tmp_path))
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield tmp_path
    for handler in set(root.handlers) - set(handlers):
        handler.close()
    root.handlers[:] = handlers
    root.setLevel(level)


def job(monkeypatch: pytest.MonkeyPatch, use_case: str, reason: str | None = "because") -> str:
    """Put a job of the tests in the list; returns its name."""
    monkeypatch.setattr(cases, "REASON", reason)
    step = Step("tests.support.cases:reason", f"tests.support.cases:{use_case}")
    made = Job("probe", "nothing to do", (step,))
    monkeypatch.setitem(run_job.JOBS, "probe", made)
    return "probe"


def last(database: Database) -> runs.Run:
    with database.read() as db:
        return runs.latest(db)[0]


@pytest.mark.parametrize(("use_case", "did"), [("works", True), ("thinks", False)])
def test_a_run_does_its_work_and_leaves_a_record(
    use_case: str, did: bool, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome = run_job.run(job(monkeypatch, use_case), now=NOW)
    found = last(database)
    assert (outcome.exit_code, outcome.did, outcome.run_id) == (0, did, found.id)
    assert (found.script, found.exit_code, found.did_work, found.summary) == ("probe", 0, did, outcome.summary)
    assert found.started_at == NOW
    assert found.cpu_s is not None
    assert found.peak_mb is not None


def test_the_time_may_be_pretended(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_job.run(job(monkeypatch, "works"), now=NOW).summary == "worked at 15:00"


def test_nothing_to_do_leaves_no_trace(database: Database, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = database.version()
    outcome = run_job.run(job(monkeypatch, "breaks", reason=None))
    assert (outcome.exit_code, outcome.did, outcome.summary) == (0, False, "nothing to do")
    assert database.version() == before
    assert not (data / "logs").exists()


def test_before_the_first_start_there_is_nothing_to_do(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FUROSHIKI_DATA", str(data / "new"))
    assert run_job.run(job(monkeypatch, "breaks")).exit_code == 0
    assert not (data / "new").exists()


def test_a_dry_run_says_why_and_does_nothing(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    before = database.version()
    assert run_job.run(job(monkeypatch, "breaks"), dry_run=True).summary == "would run: because"
    assert database.version() == before


def test_a_job_that_runs_is_not_run_beside_itself(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = job(monkeypatch, "breaks")
    with locked(data / "run" / "probe.lock"):
        assert run_job.run(name).summary == "it runs already"


def test_what_a_person_can_mend_is_one_line_and_its_exit_code(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome = run_job.run(job(monkeypatch, "needs_a_key"), now=NOW)
    assert (outcome.exit_code, outcome.summary) == (3, "THE_KEY is not set: put it into .env")
    assert last(database).exit_code == 3


def test_a_surprise_is_one_line_for_people_and_a_traceback_in_the_log_without_secrets(
    data: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome = run_job.run(job(monkeypatch, "breaks"), now=NOW)
    assert outcome.exit_code == 1
    assert outcome.summary.startswith("ZeroDivisionError")
    log = (data / "logs" / "probe.log").read_text()
    assert "Traceback" in log
    assert "[hidden]" in log
    assert "AAAAAAAA" not in log
    assert last(database).exit_code == 1


@pytest.mark.parametrize("use_case", ["is_stopped", "is_stopped_thinking"])
def test_sigterm_ends_a_run_cleanly(use_case: str, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = run_job.run(job(monkeypatch, use_case), now=NOW)
    assert (outcome.exit_code, outcome.summary) == (run_job.STOPPED, "stopped")
    assert last(database).exit_code == run_job.STOPPED


def test_a_damaged_database_is_said_and_not_replaced(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    database.close()
    database.path.write_bytes(b"no database at all" * 100)
    outcome = run_job.run(job(monkeypatch, "works"))
    assert outcome.exit_code == 4
    assert "damaged" in outcome.summary or "not a database" in outcome.summary
    assert database.path.read_bytes().startswith(b"no database")


def test_the_outcome_is_one_line_of_json(monkeypatch: pytest.MonkeyPatch) -> None:
    text = run_job.run(job(monkeypatch, "works"), now=NOW).as_json()
    assert "\n" not in text
    assert json.loads(text)["did"] is True


def test_of_the_steps_of_a_job_those_are_done_that_have_a_reason(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Step("tests.support.cases:asked_for", "tests.support.cases:whose")
    name = job(monkeypatch, "works")
    monkeypatch.setitem(run_job.JOBS, name, replace(run_job.JOBS[name], steps=(first, *run_job.JOBS[name].steps)))
    assert run_job.run(name, now=NOW).summary == "worked at 15:00"
    with database.write() as db:
        kv.put(db, "probe", True, NOW)
    outcome = run_job.run(name, now=NOW)
    assert outcome.summary == "for owner; worked at 15:00"
    assert set(outcome.data) == {"for", "folder"}
    monkeypatch.setattr(cases, "REASON", None)
    assert run_job.run(name, now=NOW).summary == "for owner"


def test_what_is_done_for_everybody_is_done_for_whom_there_is_something_to_do(
    data: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = build_world(load(), SystemClock(), spawn_memoryd=False)
    people = People()
    for number in ("31", "32"):
        people.world(house, Person("member", "telegram", number, number))
    with people.world(house, Person("member", "telegram", "32", "32")).database.write() as db:
        kv.put(db, "probe", True, NOW)
    people.close()

    step = Step("tests.support.cases:asked_for", "tests.support.cases:whose")
    made = Job("probe", "nothing to do", (step,), for_others=(step,))
    monkeypatch.setitem(run_job.JOBS, "probe", made)
    assert run_job.run("probe", now=NOW).summary == "telegram-32: for 32"
    with database.write() as db:
        kv.put(db, "probe", True, NOW)
    outcome = run_job.run("probe", now=NOW)
    assert outcome.summary == "for owner; telegram-32: for 32"
    assert outcome.data == {"for": "owner", "people": {"telegram-32": {"for": "32"}}}
    other = replace(step, use_case="tests.support.cases:works")
    monkeypatch.setitem(run_job.JOBS, "probe", replace(made, for_others=(other,)))
    assert run_job.run("probe", now=NOW).summary == "for owner; telegram-32: worked at 15:00"
    monkeypatch.setitem(run_job.JOBS, "probe", replace(made, for_others=()))
    assert run_job.run("probe", now=NOW).summary == "for owner"
