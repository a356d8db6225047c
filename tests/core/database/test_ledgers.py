"""The smaller tables: values, finished answers, skills that ran, feelings, thoughts, longer work, and what it cost."""

from __future__ import annotations

import sqlite3
from datetime import timedelta

import pytest

from furoshiki.archive.import_export.store import exports
from furoshiki.core.database import events, kv
from furoshiki.feelings.rules.emotions import at_rest
from furoshiki.feelings.store import history
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import inbox, outbox, skill_runs, turn_journal, turns
from furoshiki.models.llm.store import costs
from furoshiki.models.llm.values import CallRecord, Usage
from furoshiki.owner.agenda.store import backlog, mind_queue, operations, tasks
from tests.support.laws import NOON, shipped
from tests.support.rows import arrived, user_said, waits, words

DB = sqlite3.Connection
DAY = timedelta(days=1)


@pytest.mark.parametrize("value", [None, 0, "", [1, {"a": "ü\n👍"}], 1.5, True])
def test_a_value_comes_back_as_it_was(db: DB, value: object) -> None:
    kv.put(db, "k", "before", NOON)
    kv.put(db, "k", value, NOON)
    assert kv.get(db, "k", "nothing") == value
    assert (kv.drop(db, "k"), kv.drop(db, "k"), kv.get(db, "k", "nothing")) == (True, False, "nothing")


def test_a_finished_answer_waits_for_its_message(db: DB) -> None:
    turn_journal.write(db, "t1", [1, 2], {"text": "no"}, [], NOON)
    turn_journal.write(db, "t1", [1, 2], {"text": "yes \ud800"}, ["turn:3"], NOON)
    entry = turn_journal.find_unfinished(db, 2)
    assert entry == turn_journal.Entry("t1", (1, 2), {"text": "yes ?"}, ("turn:3",))
    assert turn_journal.find_unfinished(db, 3) is None


def test_once_on_record_it_is_history(db: DB) -> None:
    assert turn_journal.find_last_committed(db) is None
    for number in (1, 2):
        turn_journal.write(db, f"t{number}", [number], {"text": str(number)}, [], NOON)
        turn_journal.mark_committed(db, f"t{number}", NOON + number * DAY)
    turn_journal.drop(db, "t2")
    assert turn_journal.find_unfinished(db, 2) is None
    last = turn_journal.find_last_committed(db)
    assert last is not None
    assert last.turn_key == "t2"
    assert turn_journal.prune(db, NOON + 2 * DAY) == 1


def test_an_answer_that_could_not_be_kept_is_thought_again(db: DB) -> None:
    turn_journal.write(db, "t1", [1], {"text": "no"}, [], NOON)
    turn_journal.drop(db, "t1")
    assert turn_journal.find_unfinished(db, 1) is None


def ran(db: DB, digest: str, name: str = "list", ok: bool = True) -> None:
    skill_runs.add(db, "t1", digest, name, {"x": "\ud800"}, {"text": digest}, ok, 20.0, NOON)


def test_a_skill_runs_once_in_a_turn(db: DB) -> None:
    assert skill_runs.find_result(db, "t1", "d1") is None
    ran(db, "d1")
    assert skill_runs.find_result(db, "t1", "d1") == {"text": "d1"}
    assert skill_runs.find_result(db, "t2", "d1") is None
    with pytest.raises(sqlite3.IntegrityError):
        ran(db, "d1")


def test_the_newest_run_that_worked_is_taken_back_once(db: DB) -> None:
    for digest, name, ok in (
        ("d1", "list", True),
        ("d2", "recall", True),
        ("d3", "list", False),
        ("d4", "memorize", True),
    ):
        ran(db, digest, name, ok)
    found = skill_runs.recent(db, ("list", "memorize"))
    assert [run.result["text"] for run in found] == ["d4", "d1"]
    assert skill_runs.take_back(db, found[0].id) is True
    assert skill_runs.take_back(db, found[0].id) is False
    assert [run.name for run in skill_runs.recent(db, ("list", "memorize"))] == ["list"]
    assert skill_runs.recent(db, ()) == []


def test_how_skills_do(db: DB) -> None:
    for digest, ok in (("d1", True), ("d2", False)):
        ran(db, digest, ok=ok)
    assert skill_runs.statistics(db, NOON - DAY) == {"list": {"runs": 2, "failed": 0.5, "ms": 20.0}}
    assert skill_runs.statistics(db, NOON) == {}


def test_the_feeling_written_last_is_the_last_whatever_the_clock_said(db: DB) -> None:
    assert history.last(db) is None
    felt = at_rest(shipped().emotions)
    for at, mood in ((NOON + 365 * DAY, "proud"), (NOON, "tender")):
        history.record(db, at, felt.as_mapping(), {"connection": 0.5}, mood, "tick")
    assert history.last(db) == (NOON, felt.as_mapping(), "tender")
    assert (history.prune(db, NOON, NOON), history.prune(db, NOON, NOON + DAY)) == (0, 1)


def test_of_older_feelings_one_row_of_each_hour_stays(db: DB) -> None:
    for minutes in (0, 15, 45, 60, 75, 240):
        history.record(db, NOON + timedelta(minutes=minutes), {}, {}, str(minutes), "tick")
    assert history.prune(db, NOON + timedelta(hours=2), NOON - DAY) == 3
    assert history.moods(db, NOON - DAY) == ["45", "75", "240"]


def test_the_newest_reading_of_each_need(db: DB) -> None:
    for level, need in ((0.1, "space"), (0.9, "focus"), (0.2, "space")):
        history.record_user_need(db, NOON, need, level, 0.5, (1, 2), "reading")
    found = history.last_user_needs(db)
    assert {need: row["level"] for need, row in found.items()} == {"space": 0.2, "focus": 0.9}
    assert found["space"]["evidence"] == [1, 2]


def test_events_are_read_in_order_until_they_are_applied_and_their_ids_never_come_again(db: DB) -> None:
    ids = [events.announce(db, kind, {"n": 1}, NOON) for kind in ("one", "two", "three")]
    assert [event.kind for event in events.unread(db, 0)] == ["one", "two", "three"]
    assert [event.kind for event in events.unread(db, ids[1])] == ["three"]
    events.mark_applied(db, ids[1], NOON)
    assert [(event.id, event.payload, event.created_at) for event in events.unread(db, 0)] == [(ids[2], {"n": 1}, NOON)]
    db.execute("DELETE FROM system_events")
    assert events.announce(db, "four", {}, NOON) > ids[2]


def test_a_thought_is_queued_once_and_said_in_its_time(db: DB) -> None:
    assert mind_queue.add(db, "question", "later", "k1", NOON, not_before=NOON + DAY) is not None
    assert mind_queue.add(db, "question", "idly", "k2", NOON, priority=4) is not None
    assert mind_queue.add(db, "question", "first \ud800", "k3", NOON, priority=1) is not None
    assert mind_queue.add(db, "question", "the same", "k3", NOON) is None
    assert waits(db, NOON) == ["first ?", "idly"]
    assert waits(db, NOON + DAY)[:2] == ["first ?", "later"]
    assert mind_queue.count_pending(db) == 3


def test_a_thought_lives_for_a_week(db: DB) -> None:
    mind_queue.add(db, "question", "why", "k1", NOON)
    week = NOON + mind_queue.LIVES_DAYS * DAY
    assert (mind_queue.expire(db, week - DAY), waits(db, week)) == (0, [])
    assert (mind_queue.expire(db, week), mind_queue.count_pending(db)) == (1, 0)


def test_a_thought_of_no_known_weight_is_an_error_and_no_repetition(db: DB) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        mind_queue.add(db, "question", "why", "k1", NOON, priority=9)


def test_longer_work_is_read_once_it_ended_and_put_away_later(db: DB) -> None:
    good, bad, open_ = (operations.begin(db, "look", title, "telegram", "7", NOON) for title in ("good", "bad", "open"))
    operations.end(db, good, True, "found \ud800", NOON)
    operations.end(db, good, False, "too late", NOON)
    operations.end(db, bad, False, "no luck", NOON)
    assert [(one.title, one.state, one.result) for one in operations.active(db)] == [
        ("good", "completed", "found ?"),
        ("bad", "failed", "no luck"),
        ("open", "pending", None),
    ]
    operations.mark_read(db, (good, bad, open_), NOON)
    assert [one.title for one in operations.active(db)] == ["open"]
    assert operations.archive(db, NOON) == 0
    assert [one.title for one in operations.list_unharvested(db)] == ["good"], "of what failed nothing is kept"
    assert (operations.mark_harvested(db, good, NOON), operations.mark_harvested(db, good, NOON)) == (True, False)
    assert operations.archive(db, NOON + DAY) == 2


def test_work_whose_worker_is_gone_is_admitted_once(db: DB) -> None:
    operations.begin(db, "look", "it", "telegram", "7", NOON)
    assert [one.title for one in operations.fail_orphans(db, NOON)] == ["it"]
    assert operations.fail_orphans(db, NOON) == []
    assert [one.result for one in operations.active(db)] == ["interrupted by a restart"]


def call(cost: float, purpose: str = "turn", model: str = "m1", error: str | None = None) -> CallRecord:
    return CallRecord("chat", "anthropic", model, purpose, Usage(100, 70, 5, 10), cost, 0.5, "t1", error)


def test_what_was_spent(db: DB) -> None:
    assert costs.spent_since(db, NOON) == 0.0
    for at, record in ((NOON - DAY, call(0.25)), (NOON, call(0.5)), (NOON, call(0.125, "reading", "m2", "overloaded"))):
        costs.add(db, record, at)
    assert costs.spent_since(db, NOON) == 0.625
    assert costs.model_of(db, "t1") == "anthropic:m1"
    assert costs.model_of(db, "t2") is None
    dearest, *_ = costs.breakdown(db, NOON - DAY, "purpose")
    assert (dearest["purpose"], dearest["calls"], dearest["usd"], dearest["cached_share"]) == ("turn", 2, 0.75, 0.7)
    assert [row["day"] for row in costs.breakdown(db, NOON - DAY, "day")] == ["2026-03-03", "2026-03-02"]
    assert {row["model"]: row["failed"] for row in costs.breakdown(db, NOON, "model")} == {
        "anthropic:m1": 0,
        "anthropic:m2": 1,
    }


def test_calls_without_tokens_have_no_cached_share(db: DB) -> None:
    costs.add(db, CallRecord("chat", "local", "reflex", "turn", Usage(), 0.0, 0.0), NOON)
    [row] = costs.breakdown(db, NOON, "model")
    assert row["cached_share"] == 0.0


def test_what_waits_and_what_was_given_up(db: DB) -> None:
    [row, _] = inbox.store(db, [arrived("a"), arrived("b")], NOON)
    [sent] = outbox.put(db, [words("hi")], NOON, None, None)
    turns.add(db, user_said("hi"))
    mind_queue.add(db, "question", "why", "k1", NOON)
    assert backlog.count_waiting(db) == {"inbox": 2, "outbox": 1, "mind_queue": 1, "index": 1}
    db.execute("UPDATE inbox SET attempts=? WHERE id=?", (inbox.MAX_ATTEMPTS, row))
    inbox.record_failure(db, [row], "broken", NOON)
    outbox.mark_failed(db, sent, "blocked", NOON)
    assert backlog.count_failures(db, NOON) == {"inbox": 1, "outbox": 1}
    assert backlog.count_failures(db, NOON + DAY) == {"inbox": 0, "outbox": 0}


def test_everything_can_be_taken_along(db: DB) -> None:
    said = turns.add(db, user_said("I live in Lisbon", attachments={"name": "a.pdf"}))
    memories.add(db, NewMemory("semantic", "They live in Lisbon.", (said,)), NOON)
    tasks.add(db, "shopping", "milk", NOON)
    found = list(exports.read_records(db))
    assert [row["record"] for row in found] == ["turn", "memory", "task"]
    assert found[0]["attachments"] == {"name": "a.pdf"}
    assert found[1]["turn_ids"] == [said]
    assert "notes" not in found[2]
