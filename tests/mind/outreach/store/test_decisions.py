"""What was decided is on record: a night of the same is one row, and an outcome is known once."""

from __future__ import annotations

from datetime import timedelta

from furoshiki.core.database.connection import Database
from furoshiki.core.timestamps import parse
from furoshiki.mind.outreach.store import decisions, kinds
from furoshiki.mind.outreach.store.decisions import NewDecision
from tests.support.world import START


def test_a_night_of_the_same_is_one_row(database: Database) -> None:
    with database.write() as db:
        for number in range(100):
            quiet = NewDecision("follow_up", 3, "held", f"quiet until 08:00, pass {number}", item_id=1, gate="quiet")
            decisions.record(db, quiet, START + timedelta(minutes=5 * number))
        decisions.record(db, NewDecision("growth", 5, "held", "quiet", item_id=2, gate="quiet"), START)
        decisions.record(db, NewDecision("follow_up", 3, "held", "too soon", item_id=1, gate="cooldown"), START)
    with database.read() as db:
        rows = db.execute("SELECT * FROM outreach_decisions ORDER BY id").fetchall()
    assert [(row["item_id"], row["gate"], row["passes"]) for row in rows] == [
        (1, "quiet", 100),
        (2, "quiet", 1),
        (1, "cooldown", 1),
    ]
    assert rows[0]["reason"] == "quiet until 08:00, pass 99"
    assert parse(rows[0]["last_at"]) - parse(rows[0]["at"]) == timedelta(minutes=495)


def test_an_outcome_is_known_once_and_may_be_known_better(database: Database) -> None:
    with database.write() as db:
        said = decisions.record(db, NewDecision("question", 3, "sent", "all gates open", item_id=1, turn_id=9), START)
        decisions.record(db, NewDecision("reminder", 1, "sent", "you asked", source="tasks:1"), START)
        assert [one.id for one in decisions.list_unjudged(db)] == [said], "a reminder is no try at anything"
        assert decisions.judge(db, said, "ignored", START)
        assert not decisions.judge(db, said, "ignored", START)
        assert decisions.judge(db, said, "disliked", START)
        assert decisions.list_unjudged(db) == []
        assert [one.id for one in decisions.list_sent(db, START - timedelta(days=1))] == [said]
        assert [one.outcome for one in decisions.list_sent(db, START)] == ["disliked"]


def test_what_is_learned_of_a_kind_adds_up(database: Database) -> None:
    with database.write() as db:
        kinds.learn(db, "growth", "ignored", 0.9, START)
        kinds.learn(db, "growth", "ignored", 0.81, START)
        kinds.learn(db, "growth", "answered", 0.85, START)
        assert kinds.get(db, "growth") == kinds.Kind("growth", 0.85, answered=1, ignored=2)
        assert kinds.get(db, "question") == kinds.Kind("question")
        assert set(kinds.every(db)) == {"growth"}
