"""A thought is worth saying while what it comes from is open: for each table that thoughts come from."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest

from furoshiki.core.database import kv
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from furoshiki.mind.inner_life.store import commitments, drift, monologue, self_questions
from furoshiki.mind.inner_life.store.drift import NewDrift
from furoshiki.owner.agenda.rules.mind_queue import in_place
from furoshiki.owner.agenda.store import mind_queue, operations, proposals, tasks
from furoshiki.owner.user_model.store import anticipations
from tests.support.rows import user_said
from tests.support.world import START

DB = sqlite3.Connection
DAY = timedelta(days=1)


@pytest.fixture
def db(database: Any) -> Iterator[DB]:
    with database.write() as found:
        yield found


def _question(db: DB) -> str:
    made = self_questions.add(db, "Where do they live?", "inner_monologue:2026-03-24", START)
    db.execute("UPDATE self_questions SET state='user_required'")
    return f"self_questions:{made}"


def _anticipation(db: DB) -> str:
    entry = monologue.add(db, "journal", "2026-03-24", [], "local", 0, START, item="a word")
    assert entry is not None
    return f"anticipations:{anticipations.add(db, entry, 'a word', 'said so', [], START, START + DAY, START)}"


def _task(db: DB) -> str:
    return f"tasks:{tasks.add(db, 'user_work', 'the report', START)}"


def _done(db: DB) -> str:
    made = tasks.add(db, "user_work", "the report", START)
    tasks.set_state(db, made, "done", START)
    return f"tasks:{made}"


def _memory(db: DB) -> str:
    return f"memories:{memories.add(db, NewMemory('semantic', 'They row.', (turns.add(db, user_said('x')),)), START)}"


def _promise(db: DB) -> str:
    db.execute("INSERT INTO behavioral_patterns (gist, created_at) VALUES ('g', 't')")
    made = commitments.add(db, 1, "ask first", "a question", START)
    assert made is not None
    for number in range(3):
        commitments.record(db, made, f"s{number}", "broken", (), START + DAY * number)
    return f"commitments:{made}"


def _change(state: Any) -> Callable[[DB], str]:
    def made(db: DB) -> str:
        return f"personality_drift_log:{drift.add(db, NewDrift('a', 'b', '', 0.5, 0.4, (), (), 'x', 0, state), START)}"

    return made


def _work(db: DB) -> str:
    made = operations.begin(db, "search", "ferries", "telegram", "7", START)
    operations.end(db, made, True, "found", START)
    return f"operations:{made}"


PROPOSAL = proposals.make_proposal("list", {}, "add salt", ("telegram", "7", "7"), "inbox:1", START)


def _proposal(db: DB) -> str:
    proposals.propose(db, PROPOSAL, START)
    return f"proposals:{PROPOSAL.token}"


def _need(db: DB) -> str:
    kv.put(db, mind_queue.NEEDS, {"connection": {"since": "t"}}, START)
    return "needs:connection"


def _plugin(db: DB) -> str:
    db.execute(
        "INSERT INTO plugins (name, version, state, origin, pins, permissions, installed_at, changed_at) "
        "VALUES ('weather', '1', 'enabled', 'folder', '{}', '{}', '', '')"
    )
    return "plugins:weather"


def _run(question: str) -> Callable[[DB], object]:
    return lambda db: db.execute(question)


OPEN_THEN_CLOSED: list[tuple[str, str, Callable[[DB], str], Callable[[DB], object]]] = [
    ("question", "", _question, _run("UPDATE self_questions SET state='answered', memory_id=NULL")),
    ("curiosity", "", _question, _run("UPDATE self_questions SET state='expired'")),
    ("anticipation", "", _anticipation, _run("UPDATE anticipations SET state='hit'")),
    ("reminder", "", _task, lambda db: tasks.set_state(db, 1, "done", START)),
    ("reply_nudge", "", _task, lambda db: tasks.set_state(db, 1, "cancelled", START)),
    ("task_update", "", _done, lambda db: tasks.set_state(db, 1, "open", START)),
    ("task_update", "", _done, _task),
    ("growth", "", _memory, _run("UPDATE memories SET status='superseded'")),
    ("need", "", _memory, _run("UPDATE memories SET valid_to='2026-03-25'")),
    ("delegation", "promotion:1", _memory, _run("UPDATE memories SET immutable=1")),
    ("delegation", "", _promise, lambda db: commitments.record(db, 1, "s9", "honoured", (), START + DAY * 9)),
    ("delegation", "", _promise, lambda db: commitments.drop(db, 1, START)),
    ("delegation", "", _promise, lambda db: commitments.retire(db, 1, START)),
    ("growth", "", _promise, lambda db: commitments.drop(db, 1, START)),
    ("delegation", "", _change("proposed"), lambda db: drift.decide(db, 1, "accepted", START)),
    ("delegation", "", _change("proposed"), lambda db: drift.decide(db, 1, "declined", START)),
    ("growth", "", _change("applied"), _run("UPDATE personality_drift_log SET state='declined'")),
    ("skill_result", "", _work, lambda db: operations.mark_read(db, (1,), START)),
    ("delegation", "", _proposal, lambda db: proposals.take(db, PROPOSAL.token)),
    ("delegation", "", _proposal, lambda db: proposals.prune(db, START + DAY * 2)),
    ("need", "", _need, lambda db: kv.drop(db, mind_queue.NEEDS)),
    ("plugin", "", _plugin, _run("UPDATE plugins SET state='failing'")),
    ("plugin", "", _plugin, _run("DELETE FROM plugins")),
]


@pytest.mark.parametrize(("kind", "key", "begin", "end"), OPEN_THEN_CLOSED)
def test_what_it_comes_from_is_open_and_then_it_is_not(
    db: DB, kind: str, key: str, begin: Callable[[DB], str], end: Callable[[DB], object]
) -> None:
    item = mind_queue.add(db, kind, "the thought", key or "k1", START, source=begin(db))
    assert item is not None and mind_queue.is_open(db, item)
    assert mind_queue.expire_closed(db) == 0
    end(db)
    assert not mind_queue.is_open(db, item)
    assert mind_queue.expire_closed(db) == 1


@pytest.mark.parametrize("source", ["sessions:20260324-0930", None])
def test_what_comes_from_a_talk_is_open_while_it_is_there(db: DB, source: str | None) -> None:
    item = mind_queue.add(db, "follow_up", "the thought", "k1", START, source=source)
    assert item is not None and mind_queue.is_open(db, item)


@pytest.mark.parametrize("kind", ["reminder", "reply_nudge", "delegation"])
def test_what_is_said_by_itself_is_not_woven_into_a_talk(db: DB, kind: str) -> None:
    mind_queue.add(db, kind, "the thought", "k1", START)
    mind_queue.add(db, "follow_up", "how the interview went", "k2", START)
    waiting = mind_queue.list_due(db, START)
    assert [one.summary for one in in_place(waiting, {}, ())] == ["how the interview went"]
    assert len(mind_queue.candidates(db, START)) == 2


def test_those_of_a_kind_lie_apart(db: DB) -> None:
    assert mind_queue.apart(db, "promotion:", DAY, START) is None
    mind_queue.add(db, "delegation", "first", "promotion:1", START, by_key_alone=True)
    second = mind_queue.apart(db, "promotion:", DAY, START)
    assert second == START + DAY
    mind_queue.add(db, "delegation", "second", "promotion:2", START, not_before=second, by_key_alone=True)
    assert mind_queue.apart(db, "promotion:", DAY, START) == START + 2 * DAY
    assert mind_queue.apart(db, "promotion:", DAY, START + 2 * DAY) is None


def test_a_proposal_waits_no_longer_than_it_is_heard(db: DB) -> None:
    item = mind_queue.add(db, "delegation", "may I", "k1", START, source=_proposal(db), until=START + DAY)
    assert item is not None and mind_queue.went_out(db, item, START)
    assert mind_queue.say_again(db, item, START + timedelta(hours=2))
    assert mind_queue.candidates(db, START + timedelta(hours=23)) != []
    assert mind_queue.candidates(db, START + DAY) == []
