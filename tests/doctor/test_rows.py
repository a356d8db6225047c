"""Rows that lie where they should not, and that what is put back is put back once and answered once."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from doctor_checks import database, processes, rows, services, writes
from doctor_checks.look import Look

from furoshiki.app.scheduler.store import runs
from furoshiki.core.database import kv
from furoshiki.core.database.connection import Database
from furoshiki.core.timestamps import stamp
from furoshiki.messages.store import accounts, inbox, outbox
from furoshiki.owner.agenda.store import mind_queue
from tests.doctor.conftest import NOON, MakeLook
from tests.support.rows import arrived, words


@pytest.fixture
def db(data: Path) -> Iterator[Database]:
    database = Database(data / "memory" / "longmemory.sqlite", busy_seconds=5.0)
    yield database
    database.close()


def states(look: Look) -> dict[str, str]:
    return {one.key: one.state for one in rows.check(look)}


def ago(**span: float) -> datetime:
    return NOON - timedelta(**span)


def dead(db: Database, external_id: str, at: datetime, **more: Any) -> int:
    """A message that was given up at a moment."""
    with db.write() as one:
        [number] = inbox.store(one, [arrived(external_id, **more)], at)
        for _ in range(inbox.MAX_ATTEMPTS):
            assert inbox.claim_id(one, number, at) is not None
            inbox.record_failure(one, [number], "it broke", at)
        assert inbox.outcome(one, number)[0] == "dead"
    return number


def test_where_nothing_lies_all_is_well_and_nothing_is_written(look: Look, data: Path) -> None:
    before = (data / "memory" / "longmemory.sqlite").read_bytes()
    assert states(look) == {"rows": "well"}
    assert not (data / "memory" / "longmemory.sqlite.gate").exists()
    assert (data / "memory" / "longmemory.sqlite").read_bytes() == before


def test_thoughts_that_nobody_will_say_are_let_go_of_and_later_ones_stay(look: Look, db: Database) -> None:
    with db.write() as one:
        old = mind_queue.add(one, "question", "What became of the boat?", "a", ago(days=8))
        later = mind_queue.add(one, "question", "How was Lisbon?", "b", ago(days=8), not_before=ago(days=-2))
        fresh = mind_queue.add(one, "question", "Is the tooth better?", "c", ago(days=6))
    assert states(look) == {"rows.thoughts": "mended"}
    with db.read() as one:
        left = dict(one.execute("SELECT id, state FROM mind_queue").fetchall())
    assert left == {old: "expired", later: "pending", fresh: "pending"}


def test_old_runs_are_forgotten(look: Look, db: Database) -> None:
    with db.write() as one:
        runs.finish(one, runs.begin(one, "soul_engine", ago(days=31)), ago(days=31), 0)
        runs.begin(one, "soul_engine", ago(days=40))
        young = runs.begin(one, "soul_engine", ago(days=29))
    assert states(look) == {"rows.runs": "mended"}
    with db.read() as one:
        assert [run.id for run in runs.latest(one)] == [young]


def test_a_message_that_was_given_up_is_tried_once_more_and_never_again(make_look: MakeLook, db: Database) -> None:
    number = dead(db, "1", ago(hours=2))
    assert states(make_look()) == {"rows.inbox": "mended"}
    with db.write() as one:
        envelope = inbox.claim(one, NOON)
        assert envelope is not None
        assert (envelope.id, envelope.attempts) == (number, inbox.MAX_ATTEMPTS - 1)
        [buried] = inbox.record_failure(one, [number], "it broke", NOON)
    assert buried.id == number
    look = make_look(NOON + timedelta(hours=1))
    assert states(look) == {"rows.dead": "wrong", "rows": "well"}
    with db.read() as one:
        assert inbox.outcome(one, number)[0] == "dead"


@pytest.mark.parametrize("hours", [0.05, 25.0])
def test_a_message_is_left_while_it_is_fresh_and_when_it_is_stale(look: Look, db: Database, hours: float) -> None:
    dead(db, "1", ago(hours=hours))
    assert states(look) == {"rows": "well"}


def test_who_has_written_again_wants_no_answer_to_the_old_message(look: Look, db: Database) -> None:
    dead(db, "1", ago(hours=2))
    with db.write() as one:
        inbox.store(one, [arrived("2")], ago(hours=1))
    assert states(look) == {"rows": "well"}


def test_what_somebody_else_wrote_does_not_count(look: Look, db: Database) -> None:
    dead(db, "1", ago(hours=2))
    with db.write() as one:
        inbox.store(one, [arrived("2", chat_id="8")], ago(hours=1))
    assert states(look) == {"rows.inbox": "mended"}


def test_a_pressed_button_is_not_pressed_again(look: Look, db: Database) -> None:
    number = dead(db, "1", ago(hours=2))
    with db.write() as one:
        inbox.become(one, number, "callback")
    assert states(look) == {"rows": "well"}


@pytest.mark.parametrize(("mind", "expected"), [(True, "mended"), (False, "well")])
def test_a_message_that_lies_as_being_answered_is_put_back_while_a_mind_is_there(
    look: Look, db: Database, monkeypatch: pytest.MonkeyPatch, mind: bool, expected: str
) -> None:
    monkeypatch.setattr(processes, "holder", lambda path: 0 if mind and path.name == "mind.lock" else None)
    with db.write() as one:
        [old, new] = inbox.store(one, [arrived("1"), arrived("2")], ago(hours=5))
        inbox.claim_id(one, old, ago(hours=4))
        inbox.claim_id(one, new, ago(hours=1))
    assert list(states(look).values()) == [expected]
    with db.read() as one:
        assert inbox.outcome(one, old)[0] == ("pending" if mind else "processing")
        assert inbox.outcome(one, new)[0] == "processing"


@pytest.fixture
def listening(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "running", lambda _look, _name: object())


@pytest.mark.usefixtures("listening")
def test_a_reply_nobody_knows_the_end_of_is_told_and_never_touched(look: Look, db: Database) -> None:
    with db.write() as one:
        [number] = outbox.put(one, [words("hello")], ago(hours=3), None, None)
        outbox.claim(one, number, ago(hours=2))
    assert states(look) == {"rows.uncertain": "wrong", "rows": "well"}
    with db.read() as one:
        assert [row.id for row in outbox.uncertain(one, "telegram")] == [number]


@pytest.mark.usefixtures("listening")
def test_replies_that_are_not_sent_are_told_those_of_a_terminal_not(look: Look, db: Database) -> None:
    with db.write() as one:
        outbox.put(one, [words("hello")], ago(hours=3), None, None)
        outbox.put(one, [words("hello", channel="console")], ago(hours=3), None, None)
    [one_] = [found for found in rows.check(look) if found.state == "wrong"]
    assert one_.words.startswith("1 reply waits")


def test_a_reply_that_waits_for_a_moment_far_away_is_sent_now(look: Look, db: Database) -> None:
    with db.write() as one:
        [number] = outbox.put(one, [words("hello")], ago(hours=3), None, None)
        outbox.retry(one, number, ago(days=-300), "too many")
    assert states(look) == {"rows.outbox": "mended"}
    with db.read() as one:
        assert [row.id for row in outbox.ready(one, "telegram", NOON)] == [number]


@pytest.mark.parametrize(
    ("error", "blocked", "more", "expected"),
    [
        ("Forbidden: bot was blocked by the user", False, {}, "ready"),
        ("Forbidden: bot was blocked by the user", True, {}, "failed"),
        ("Forbidden: bot was blocked by the user", False, {"policy": "unprompted"}, "failed"),
        ("Bad Request: message is too long", False, {}, "failed"),
        ("may have arrived: nobody can tell", False, {}, "failed"),
        ("withdrawn: the message was edited", False, {}, "failed"),
    ],
)
def test_of_failed_replies_only_those_are_put_back_that_did_not_arrive_and_now_would(
    look: Look, db: Database, error: str, blocked: bool, more: dict[str, str], expected: str
) -> None:
    with db.write() as one:
        names = "channel, external_id, role, chat_id, paired_at"
        one.execute(f"INSERT INTO accounts ({names}) VALUES ('telegram', '7', 'owner', '7', '2026')")
        accounts.set_blocked(one, "telegram", "7", blocked, NOON)
        [number] = outbox.put(one, [words("hello", **more)], ago(hours=3), None, None)
        outbox.mark_failed(one, number, error, ago(hours=2))
    states(look)
    with db.write() as one:
        assert [row.state for row in outbox.in_state(one, expected)] == [expected]
        outbox.mark_failed(one, number, error, NOON)
    look.now += timedelta(hours=1)
    states(look)
    with db.read() as one:
        assert [row.id for row in outbox.in_state(one, "failed")] == [number]


def test_nothing_is_put_right_in_a_dry_run_nor_in_a_database_that_may_be_damaged(
    make_look: MakeLook, db: Database
) -> None:
    number = dead(db, "1", ago(hours=2))
    assert states(make_look(dry=True)) == {"rows.inbox": "mended"}
    assert states(make_look(sound=False)) == {"rows": "note"}
    with db.read() as one:
        assert inbox.outcome(one, number)[0] == "dead"
        assert kv.get(one, writes.REQUEUED) is None


# -- the way of writing --


def test_writing_folds_nothing_into_the_file(data: Path, db: Database) -> None:
    path = data / "memory" / "longmemory.sqlite"
    with db.write() as one:
        kv.put(one, "a", 1, NOON)
    log = Path(f"{path}-wal").read_bytes()
    copy = data / "copy.sqlite"  # as a process leaves them that was killed
    copy.write_bytes(path.read_bytes())
    Path(f"{copy}-wal").write_bytes(log)
    before = copy.read_bytes()
    with writes.transaction(copy) as one:
        one.execute("INSERT INTO kv VALUES ('b', '2', '2026')")
    assert copy.read_bytes() == before
    assert len(Path(f"{copy}-wal").read_bytes()) > len(log)
    with sqlite3.connect(copy) as one:
        assert {row[0] for row in one.execute("SELECT key FROM kv")} >= {"a", "b"}


def test_a_process_that_folds_the_log_keeps_the_doctor_out(
    data: Path, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writes, "WAIT_SECONDS", 0.05)
    path = data / "memory" / "longmemory.sqlite"
    gate = os.open(f"{path}.gate", os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(gate, fcntl.LOCK_EX)
        with pytest.raises(database.Unreadable, match="folds its log"), writes.transaction(path):
            raise AssertionError("it got in")
        fcntl.flock(gate, fcntl.LOCK_UN)
        with writes.transaction(path):
            assert not db.checkpoint()
    finally:
        os.close(gate)


def test_what_fails_leaves_nothing(data: Path, db: Database) -> None:
    path = data / "memory" / "longmemory.sqlite"
    with pytest.raises(KeyError), writes.transaction(path) as one:
        one.execute("INSERT INTO kv VALUES ('b', '2', '2026')")
        raise KeyError
    with db.read() as read:
        assert kv.get(read, "b") is None


def test_a_garbled_memory_of_what_was_put_back_is_begun_again(data: Path, db: Database) -> None:
    path = data / "memory" / "longmemory.sqlite"
    for garbled in ("[]", '"x"', '{"inbox": 3}', '{"inbox": ["x"]}'):
        with writes.transaction(path) as one:
            one.execute("INSERT OR REPLACE INTO kv VALUES (?, ?, '2026')", (writes.REQUEUED, garbled))
            writes.requeue_messages(one, [7], [], NOON)
        with db.read() as read:
            assert kv.get(read, writes.REQUEUED) == {"inbox": [7], "outbox": []}


def test_its_times_are_written_as_the_program_writes_them(data: Path, db: Database) -> None:
    with writes.transaction(data / "memory" / "longmemory.sqlite") as one:
        writes.requeue_messages(one, [7], [], NOON)
    with db.read() as read:
        at = read.execute("SELECT changed_at FROM kv WHERE key=?", (writes.REQUEUED,)).fetchone()[0]
    assert at == stamp(NOON)
