"""What came to mind, what was shown and what was used; and the summaries of what has left the window."""

from __future__ import annotations

import sqlite3
from datetime import timedelta

from furoshiki.core.database import retention
from furoshiki.memory.store import retrievals
from furoshiki.memory.store.retrievals import Retrieval, Usefulness
from furoshiki.messages.store import summaries
from furoshiki.messages.store.summaries import Summary
from tests.support.laws import NOON

DB = sqlite3.Connection
BEFORE = NOON - timedelta(seconds=1)
SEEN = Retrieval("memory:3", 1, True, True, {"semantic": 1.0, "recency": 0.5})
UNUSED = Retrieval("turn:12", 2, True)
MISSED = Retrieval("memory:4", 7, False)
ASSOCIATED = Retrieval("memory:9", 0, True, voices={"co_access": 0.3})


def test_a_turn_is_recorded_once(db: DB) -> None:
    assert not retrievals.is_recorded(db, "inbox:1")
    assert retrievals.record(db, "inbox:1", [ASSOCIATED, MISSED, UNUSED, SEEN], NOON) == 4
    assert retrievals.record(db, "inbox:1", [Retrieval("memory:3", 5, False)], NOON) == 0
    assert retrievals.is_recorded(db, "inbox:1")
    injected = [one.retrieval for one in retrievals.outcomes(db, BEFORE)]
    assert injected == [ASSOCIATED, UNUSED, SEEN]


def test_what_became_of_what_was_shown(db: DB) -> None:
    retrievals.record(db, "inbox:1", [SEEN, UNUSED, MISSED], NOON)
    retrievals.record(db, "inbox:2", [Retrieval("memory:3", 1, True), MISSED], NOON + timedelta(hours=1))
    found = retrievals.outcomes(db, BEFORE)
    assert [(one.turn_key, one.retrieval.item, one.retrieval.used) for one in found] == [
        ("inbox:1", "memory:3", True),
        ("inbox:1", "turn:12", False),
        ("inbox:2", "memory:3", False),
    ]
    assert found[0].retrieval.voices == {"semantic": 1.0, "recency": 0.5}
    assert [one.turn_key for one in retrievals.outcomes(db, BEFORE, limit=1)] == ["inbox:2"]
    assert retrievals.outcomes(db, NOON + timedelta(hours=1)) == []
    assert retrievals.usefulness(db, "memory:3") == Usefulness((NOON.date().isoformat(),), shown=2, used=1)
    assert retrievals.usefulness(db, "memory:4") == Usefulness()
    assert retrievals.count_usage(db, BEFORE) == (2, 1)


def test_old_retrievals_are_dropped(db: DB) -> None:
    retrievals.record(db, "inbox:1", [SEEN], NOON)
    assert retention.older(db, "retrievals", NOON, 10) == 0
    assert retention.older(db, "retrievals", NOON + timedelta(days=1), 10) == 1
    assert not retrievals.is_recorded(db, "inbox:1")


def test_a_conversation_has_one_summary_and_it_is_replaced(db: DB) -> None:
    assert summaries.get(db, "telegram", "7") is None
    summaries.put(db, Summary("telegram", "7", "They said hello.", 1, 4, NOON))
    newer = Summary("telegram", "7", "They said hello \ud800 and went.", 1, 9, NOON + timedelta(hours=1))
    summaries.put(db, newer)
    found = summaries.get(db, "telegram", "7")
    assert found is not None
    assert (found.text, found.first_turn, found.last_turn, found.at) == (
        "They said hello ? and went.",
        1,
        9,
        NOON + timedelta(hours=1),
    )
    assert summaries.get(db, "console", "7") is None
