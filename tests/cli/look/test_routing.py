"""`furoshiki routing`: what was learned of how messages are answered can be read in words, taken back and pinned."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.messages.store import turns
from furoshiki.routing.rules.changes import Move, Pressure
from furoshiki.routing.store import changes, topics, turn_topics
from tests.support.rows import user_said
from tests.support.shell import Command

THEN = datetime(2026, 3, 2, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def database(data: Path) -> Database:
    return Database(data / "memory" / "longmemory.sqlite")


def learned(database: Database) -> None:
    """One change that was kept, one that did not help, one that is being measured."""
    with database.write() as db:
        asked = Pressure("misroute", 0.3, 0.2, "missed_clarify")
        changes.add(db, Move("clarify_base", 0.3, 0.32, asked), THEN)
        changes.keep(db, 1, 0.12, THEN + 2 * DAY)
        changes.add(db, Move("margin_base", 0.2, 0.18, Pressure("tie_break", 0.26, 0.06)), THEN + 3 * DAY)
        changes.revert(db, 2, 0.25, THEN + 5 * DAY)
        changes.add(db, Move("act_base", 0.2, 0.22, Pressure("act_share", 0.02, 0.02)), THEN + 6 * DAY)


def test_before_anything_was_learned(command: Command, database: Database) -> None:
    assert command("routing", "history").out.startswith("Nothing was changed yet")
    assert command("routing", "reset", "--yes").out.startswith("Nothing was changed")


def test_each_change_is_told_in_words(command: Command, database: Database) -> None:
    learned(database)
    told = command("routing", "history").out
    for line in (
        "**3. 8 March 2026: I look something up sooner (act_base 0.2 → 0.22)** — being measured.",
        "Why: none of the messages had me look something up or do something.",
        "**2. 5 March 2026: I take fewer choices for close ones (margin_base 0.2 → 0.18)** — taken back: it did not",
        "Why: 26% of the choices were too close to call. When it was measured again on 7 March 2026: 25% of",
        "**1. 2 March 2026: I ask back sooner (clarify_base 0.3 → 0.32)** — kept.",
        "Why: 30% of the answers that you let me know about were not what you needed, mostly where I should have asked",
        "When it was measured again on 4 March 2026: 12% of the answers that you let me know about were not what you",
    ):
        assert line in told


def test_it_asks_before_it_takes_anything_back_and_can_be_pinned(
    command: Command, database: Database, data: Path
) -> None:
    learned(database)
    refused = command("routing", "reset")
    assert refused.status == 2
    assert "give --yes" in refused.err
    assert command("routing", "reset", "2", "--yes").status == 2, "it holds no more"
    assert (
        command("routing", "reset", "1", "--yes").out == "1 change taken back. The next message is answered without.\n"
    )
    written = json.loads((data / "memory" / "mode_router.json").read_text())
    assert written == {"version": 5, "weights": {"act_base": 0.22}}
    assert command("routing", "reset", "--yes", "--json").json == {"taken_back": 1, "version": 6}
    assert "taken back by you" in command("routing", "history").out
    command("routing", "pin")
    found = command("routing", "history", "--json").json
    assert (found["pinned"], found["version"], [one["state"] for one in found["changes"]]) == (
        True,
        6,
        ["reverted"] * 3,
    )
    assert command("routing", "unpin").out == "From now on it learns again, a little at a time.\n"


def test_the_subjects_and_why_a_message_was_another_one(command: Command, database: Database) -> None:
    assert command("routing", "topics").out.startswith("Nothing yet")
    with database.write() as db:
        first = turns.add(db, user_said("the tiles for the kitchen came", THEN))
        last = turns.add(db, user_said("by the way, Lena is pregnant", THEN))
        for name, turn, kind in (("tiles kitchen", first, "first"), ("lena pregnant", last, "marker")):
            topic = topics.add(db, "telegram", "7", name, (), "", turn, THEN)
            topics.spoken_of(db, topic, None, (), "", 0.0, [turn], THEN)
            turn_topics.add(db, turn_topics.Row(turn, topic, True, kind, None, None, None, None, None, THEN))
    told = command("routing", "topics").out.splitlines()
    assert told[0].startswith("lena pregnant\t1\t") and told[1].startswith("tiles kitchen\t1\t")
    assert told[3].endswith("\tlena pregnant\tyou said so yourself\tby the way, Lena is pregnant")
    [read, _] = json.loads(command("routing", "topics", "--json").out)["messages"]
    assert (read["topic"], read["kind"], read["boundary"]) == ("lena pregnant", "marker", True)
