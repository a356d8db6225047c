"""`furoshiki self`: who the companion is can be read, with what changed, why, and what it asks to change."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from furoshiki.core.database.connection import Database
from tests.support.looks import NEW, NOW, SHIPPED, WHY, looked
from tests.support.shell import Command


def test_before_the_first_change_it_is_who_it_came_as(command: Command) -> None:
    shown = command("self").out
    assert "I am new here." in shown and "Nothing has changed it yet." in shown
    found = command("self", "--json").json
    assert found == {"text": SHIPPED, "since": None, "edited_by_hand": False, "proposed": None}
    assert command("self", "--diff").out == "Nothing has changed yet in how I describe myself.\n"
    assert command("self", "--diff", "--json").json is None
    assert command("self", "--history").out.startswith("There has been no long look yet")
    assert command("self", "--history", "--json").json == []


def test_the_last_change_is_shown_with_the_why(command: Command, database: Database, data: Path) -> None:
    looked(database, NEW, at=NOW - timedelta(days=14))
    looked(database, "", at=NOW - timedelta(days=7))
    assert NEW in command("self").out, "the first look writes the file"
    assert (data / "config" / "SELF.md").read_text(encoding="utf-8") == f"{SHIPPED}\n\n{NEW}\n"
    shown = command("self", "--diff").out
    assert f"+ {NEW}" in shown and WHY in shown and "They went quiet." in shown and "% of the text changed" in shown
    assert command("self", "--diff", "1").out.count(NEW) == 1
    assert "nothing was to be changed" in command("self", "--diff", "2").out
    assert command("self", "--diff", "--json").json["reasons"][0] == {
        "kind": "shift",
        "text": WHY,
        "rests_on": ["entry:1"],
        "turns": [],
    }
    rows = [line.split("\t") for line in command("self", "--history").out.splitlines()]
    assert [(row[0], row[4]) for row in rows] == [("2", "looked, left it as is"), ("1", "applied")]
    assert [one["id"] for one in command("self", "--history", "--json").json] == [2, 1]
    missing = command("self", "--diff", "9")
    assert missing.status == 2 and "no review 9" in missing.err and missing.err.count("\n") == 1


def test_a_proposal_is_shown_accepted_and_declined(command: Command, database: Database, data: Path) -> None:
    looked(database, NEW, "proposed")
    shown = command("self").out
    assert "Proposed on" in shown and f"+ {NEW}" in shown and "--accept" in shown
    assert command("self", "--json").json["proposed"]["text"].endswith(NEW)
    assert not (data / "config" / "SELF.md").exists()
    assert command("self", "--accept").out.startswith("Accepted: ")
    assert NEW in (data / "config" / "SELF.md").read_text(encoding="utf-8")
    again = command("self", "--accept")
    assert again.status == 1 and "No changes proposed" in again.err and again.err.count("\n") == 1
    assert "Proposed" not in command("self").out


def test_a_declined_proposal_changes_nothing_and_stays_on_record(
    command: Command, database: Database, data: Path
) -> None:
    looked(database, NEW, "proposed")
    assert "stays as it is" in command("self", "--decline").out
    assert not (data / "config" / "SELF.md").exists()
    assert command("self", "--history", "--json").json[0]["state"] == "declined"
    assert "declined" in command("self", "--diff", "1").out


def test_a_proposal_is_not_accepted_over_what_the_owner_wrote_since(
    command: Command, database: Database, data: Path
) -> None:
    looked(database, NEW, "proposed")
    path = data / "config" / "SELF.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text("I am what you made of me.\n")
    refused = command("self", "--accept")
    assert refused.status == 1 and "has changed since" in refused.err and refused.err.count("\n") == 1
    assert path.read_text() == "I am what you made of me.\n"
    assert command("self", "--accept", "--decline").status == 2
