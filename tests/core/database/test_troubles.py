"""What does not work stands on record until it works again, and its owner is told once."""

from __future__ import annotations

from datetime import timedelta

from furoshiki.core import failure_words
from furoshiki.core.database import troubles
from furoshiki.core.database.connection import Database
from furoshiki.owner.agenda.store import backlog
from tests.support.laws import NOON

LATER = NOON + timedelta(hours=2)


def alerts(database: Database) -> list[object]:
    with database.read() as db:
        return [one.payload["words"] for one in backlog.list_failures(db, failure_words.KINDS, NOON)]


def test_a_trouble_lasts_until_it_is_over_and_is_told_once(database: Database) -> None:
    with database.write() as db:
        troubles.record_failure(db, "encoder", "no such encoder", NOON)
        troubles.record_failure(db, "encoder", "no such encoder", LATER)
        troubles.record_failure(db, "telegram.away", "out of reach", LATER)
    with database.read() as db:
        first, second = troubles.read_all(db)
        assert troubles.is_met(db, "encoder")
    assert (first.what, first.since, first.at, first.times) == ("encoder", NOON, LATER, 2)
    assert second.words == "out of reach"
    assert alerts(database) == ["no such encoder", "out of reach"]
    with database.write() as db:
        troubles.over(db, "encoder", LATER)
        troubles.over(db, "never met", LATER)
    with database.read() as db:
        assert [one.what for one in troubles.read_all(db)] == ["telegram.away"]


def test_a_hiccup_is_not_told_and_another_reason_is(database: Database) -> None:
    with database.write() as db:
        troubles.record_failure(db, "model m", "too slow", NOON, tell_after=2)
    assert alerts(database) == []
    with database.write() as db:
        troubles.record_failure(db, "model m", "too slow", NOON, tell_after=2)
        troubles.record_failure(db, "model m", "the key was refused", NOON)
        troubles.record_failure(db, "model m", "the key was refused", NOON)
    assert alerts(database) == ["too slow", "the key was refused"]
