"""Errors that come back become one repair job, by the same rule as in the program."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from doctor_checks import road  # isort: skip
from doctor_checks.errors import failures
from doctor_checks.look import Look

from furoshiki.app.scheduler.store import runs
from furoshiki.core import failure_words
from furoshiki.core.database import events
from furoshiki.core.database.connection import Database
from furoshiki.core.timestamps import stamp
from furoshiki.extensions.repair import noticing, store
from tests.doctor.conftest import NOON, MakeLook

TRACEBACK = 'Traceback (most recent call last):\n  File "/x/y.py", line 7, in z\n    z()\nValueError: no row {}'


@pytest.fixture
def db(data: Path) -> Iterator[Database]:
    database = Database(data / "memory" / "longmemory.sqlite", busy_seconds=5.0)
    yield database
    database.close()


def run_fails(db: Database, hours_ago: float, summary: str = "ValueError: no row 17", code: int = 1) -> None:
    at = NOON - timedelta(hours=hours_ago)
    with db.write() as one:
        runs.finish(one, runs.begin(one, "soul_engine", at), at + timedelta(seconds=3), code, summary=summary)


def log_says(data: Path, hours_ago: float, text: str, name: str = "listener", level: str = "error") -> None:
    at = stamp(NOON - timedelta(hours=hours_ago))
    record = {"at": at, "level": level, "logger": "furoshiki.x", "message": "it broke", "traceback": text}
    with (data / "logs" / f"{name}.log").open("a") as file:
        file.write(json.dumps(record) + "\n")


def states(look: Look) -> list[str]:
    return [one.state for one in failures.check(look)]


def jobs(db: Database) -> list[tuple[str, str, int]]:
    with db.read() as one:
        return [
            (row["source"], row["kind"], row["times"])
            for row in one.execute("SELECT source, kind, times FROM repair_jobs ORDER BY id")
        ]


def test_without_the_programs_rule_it_says_so_and_makes_no_job(
    look: Look, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    for hours in (20, 10, 2):
        run_fails(db, hours)
    assert road.loaded("extensions/repair/rules/no_such_file.py") is None
    monkeypatch.setattr(failures, "signatures", None)
    assert states(look) == ["note"] and jobs(db) == []


def test_three_of_a_kind_within_a_day_make_one_job_and_the_companion_tells_of_it(look: Look, db: Database) -> None:
    for hours in (30, 20, 2):
        run_fails(db, hours)
    assert states(look) == ["well"]
    run_fails(db, 1, "ValueError: no row 4")
    [one] = failures.check(look)
    assert one.state == "mended"
    assert jobs(db) == [("soul_engine", "ValueError", 3)]
    with db.read() as read:
        [event] = [found for found in events.unread(read, 0) if found.kind == failure_words.ALERT]
    assert failure_words.lines([(event.kind, event.payload)]) == [
        "soul_engine broke 3 times within a day (ValueError: no row <number>)"
    ]
    assert states(look) == ["well"]
    run_fails(db, 0.5)
    assert states(look) == ["well"]
    assert jobs(db) == [("soul_engine", "ValueError", 4)]


def test_logs_count_as_well_packed_ones_too_and_a_run_that_logged_why_once(
    look: Look, data: Path, db: Database
) -> None:
    for hours, row in ((3, 1), (2, 2), (1, 3)):
        log_says(data, hours, TRACEBACK.format(row))
    log = data / "logs" / "listener.log"
    (data / "logs" / "listener.log.1.gz").write_bytes(gzip.compress(log.read_bytes()))
    log.write_text("")
    for hours in (5, 4):
        run_fails(db, hours)
        log_says(data, hours - 1 / 3600, TRACEBACK.format(9), name="soul_engine")
    assert states(look) == ["mended"]
    assert jobs(db) == [("listener", "ValueError", 3)]


@pytest.mark.parametrize("code", [-1, -2, -15, 130, 143])
def test_what_was_stopped_is_no_error(look: Look, db: Database, code: int) -> None:
    for hours in (3, 2, 1):
        run_fails(db, hours, "stopped", code)
    assert states(look) == ["well"]


def test_what_was_looked_into_counts_anew_from_then(make_look: MakeLook, db: Database) -> None:
    for hours in (6, 5, 4):
        run_fails(db, hours)
    states(make_look(NOON - timedelta(hours=3.9)))
    with db.write() as one:
        [job] = store.read_stopped(one, NOON)
        store.decide(one, job, "closed", NOON - timedelta(hours=3))
    for hours in (2, 1):
        run_fails(db, hours)
    assert states(make_look()) == ["well"]
    run_fails(db, 0.5)
    assert states(make_look()) == ["mended"]
    assert len(jobs(db)) == 2


def test_nothing_is_queued_in_a_dry_run_nor_in_a_damaged_database(make_look: MakeLook, db: Database) -> None:
    for hours in (3, 2, 1):
        run_fails(db, hours)
    assert states(make_look(dry=True)) == ["mended"]
    assert states(make_look(sound=False)) == ["note"]
    assert jobs(db) == []


def test_the_program_finds_the_same(look: Look, data: Path, db: Database) -> None:
    """Runs and logs of both forms: the doctor's rows are those the program would make."""
    for hours in (3, 2, 1):
        run_fails(db, hours, f"OSError: [Errno 2] No such file: '/a/{hours}'")
        log_says(data, hours, TRACEBACK.format(hours), name="brain")
        log_says(data, hours, TRACEBACK.format(hours), name="memoryd", level="warning")
    plain = [
        f"2026-05-13 0{hour}:00:00,123 ERROR furoshiki.x: it broke\n{TRACEBACK.format(hour)}\n"
        "2026-05-13 09:00:01,000 INFO furoshiki.x: and on\n"
        for hour in (1, 2, 3)
    ]
    (data / "logs" / "old.log").write_text("".join(plain))
    with db.read() as one:
        theirs = noticing.fresh(one, data, NOON)
    assert states(look).count("mended") == len(theirs) == 3
    with db.read() as one:
        rows = {row["signature"]: row for row in one.execute("SELECT * FROM repair_jobs")}
    for found in theirs:
        row = rows[found.signature]
        assert (row["source"], row["kind"], row["message"]) == (found.script, found.kind, found.message)
        assert (row["times"], row["evidence"]) == (found.times, found.evidence)
        assert (row["first_at"], row["last_at"]) == (stamp(found.first_at), stamp(found.last_at))
