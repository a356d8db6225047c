"""`furoshiki journal`: what the companion wrote for itself, as people and machines read it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.mind.inner_life.store import monologue
from furoshiki.mind.inner_life.store.monologue import Passage
from furoshiki.owner.user_model.store import anticipations
from tests.support.shell import Command

NOW = datetime.now(UTC)


@pytest.fixture
def database(data: Path) -> Database:
    return Database(data / "memory" / "longmemory.sqlite")


def test_before_the_first_entry_it_says_so(command: Command) -> None:
    assert command("journal").out == "Nothing is written in the journal yet.\n"
    assert command("journal", "2026-03-24").out == "Nothing was written on 2026-03-24.\n"
    assert command("journal", "--json").json == {"entries": [], "anticipations": []}


def test_entries_are_shown_by_day_with_what_is_expected(command: Command, database: Database) -> None:
    with database.write() as db:
        first = monologue.add(db, "journal", "2026-03-24", [Passage("They spoke of the sea.", (1,))], "local", 1, NOW)
        monologue.add(db, "morning", "2026-03-25", [Passage("I want to leave room.")], "scripted", 1, NOW)
        monologue.add(db, "contemplation", "2026-03-25", [], "scripted", 1, NOW, item="memory:1", state="dropped")
        assert first is not None
        anticipations.add(db, first, "A word.", "The exam.", [1], NOW, NOW + timedelta(days=1), NOW)
    shown = command("journal").out
    assert "2026-03-24" in shown and "by rule" in shown and "I want to leave room." in shown and "The exam." in shown
    assert "sea" not in command("journal", "-n", "1").out
    assert "room" not in command("journal", "2026-03-24").out
    drawn = database.path.parent / "inner-monologue" / "2026-03-24.svg"
    drawn.parent.mkdir()
    drawn.write_text("<svg/>")
    assert f"Picture: {drawn}" in command("journal", "2026-03-24").out
    found = command("journal", "--json").json
    assert [one["kind"] for one in found["entries"]] == ["journal", "morning"]
    assert found["entries"][0]["passages"] == [{"text": "They spoke of the sea.", "turns": [1]}]
    assert [one["picture"] for one in found["entries"]] == [str(drawn), None]
    assert found["entries"][0]["by_rule"] and found["anticipations"][0]["text"] == "A word."


def test_a_day_that_is_none_is_one_line(command: Command) -> None:
    ended = command("journal", "yesterday")
    assert ended.status == 2 and "'yesterday' is not a day" in ended.err and ended.err.count("\n") == 1
