"""When memories were called to mind, and which of them together."""

from __future__ import annotations

import sqlite3
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from furoshiki.memory.store import accesses, memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from tests.support.laws import NOON
from tests.support.rows import user_said

DB = sqlite3.Connection


def keep(db: DB, content: str) -> int:
    said = turns.add(db, user_said(content))
    return memories.add(db, NewMemory("semantic", content, (said,)), NOON)


def test_an_access_is_counted_and_remembered_with_its_time(db: DB) -> None:
    lisbon, rain = keep(db, "They live in Lisbon."), keep(db, "They like rain.")
    accesses.record(db, [lisbon, lisbon, rain, 99], NOON)
    accesses.record(db, [lisbon], NOON + timedelta(hours=1))
    assert accesses.times(db, lisbon) == [NOON, NOON + timedelta(hours=1)]
    found = memories.get(db, lisbon)
    assert found is not None
    assert (found.access_count, found.last_accessed_at) == (2, NOON + timedelta(hours=1))


def test_the_same_moment_is_told_twice_and_counts_once(db: DB) -> None:
    lisbon = keep(db, "They live in Lisbon.")
    accesses.record(db, [lisbon], NOON)
    accesses.record(db, [lisbon], NOON)
    found = memories.get(db, lisbon)
    assert found is not None
    assert (found.access_count, len(accesses.times(db, lisbon))) == (1, 1)


def test_only_the_last_times_are_kept_and_all_are_counted(db: DB) -> None:
    lisbon = keep(db, "They live in Lisbon.")
    for hour in range(30):
        accesses.record(db, [lisbon], NOON + timedelta(hours=hour))
    kept = accesses.times(db, lisbon)
    assert kept == [NOON + timedelta(hours=hour) for hour in range(10, 30)]
    found = memories.get(db, lisbon)
    assert found is not None
    assert found.access_count == 30


def test_a_late_word_of_an_early_access_does_not_turn_the_clock_back(db: DB) -> None:
    lisbon = keep(db, "They live in Lisbon.")
    accesses.record(db, [lisbon], NOON)
    accesses.record(db, [lisbon], NOON - timedelta(hours=1))
    found = memories.get(db, lisbon)
    assert found is not None
    assert (found.access_count, found.last_accessed_at) == (2, NOON)


def test_what_was_called_together_are_partners_both_ways(db: DB) -> None:
    lisbon, rain, tea = keep(db, "Lisbon"), keep(db, "rain"), keep(db, "tea")
    accesses.together(db, [rain, lisbon, rain, 99], NOON)
    accesses.together(db, [lisbon, tea, rain], NOON + timedelta(hours=1))
    assert accesses.partners(db, lisbon, 3) == [(rain, 2.0), (tea, 1.0)]
    assert accesses.partners(db, rain, 3) == [(lisbon, 2.0), (tea, 1.0)]
    assert accesses.partners(db, tea, 1) == [(lisbon, 1.0)]
    assert accesses.partners(db, 99, 3) == []


def test_one_alone_has_no_partner(db: DB) -> None:
    lisbon = keep(db, "Lisbon")
    accesses.together(db, [lisbon], NOON)
    assert accesses.partners(db, lisbon, 3) == []


@given(rounds=st.lists(st.lists(st.integers(0, 4), max_size=5), max_size=6))
def test_partnership_is_mutual_and_counts_the_times_both_were_there(rounds: list[list[int]]) -> None:
    with sqlite3.connect(":memory:") as db:
        db.row_factory = sqlite3.Row
        db.execute("CREATE TABLE memories (id INTEGER PRIMARY KEY)")
        db.execute(
            "CREATE TABLE memory_co_access (a_id, b_id, count, last_at, PRIMARY KEY (a_id, b_id), CHECK (a_id < b_id))"
        )
        db.executemany("INSERT INTO memories VALUES (?)", [(one,) for one in range(5)])
        for one in rounds:
            accesses.together(db, one, NOON)
        for a in range(5):
            for b, count in accesses.partners(db, a, 9):
                assert count == sum(a in one and b in one for one in rounds)
                assert (a, count) in accesses.partners(db, b, 9)
