"""`furoshiki mood`: how the companion feels and why, and its week, for people and for machines."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.feelings.rules.emotions import NAMES
from furoshiki.feelings.store import history
from furoshiki.owner.agenda.store import mind_queue
from tests.support.shell import Command

NOW = datetime.now(UTC)
REST = dict.fromkeys(NAMES, 0.0)


@pytest.fixture
def database(data: Path) -> Database:
    return Database(data / "memory" / "longmemory.sqlite")


def test_before_anything_was_written_down_there_is_no_curve(command: Command, database: Database) -> None:
    shown = command("mood").out
    assert shown.startswith("I feel ") and "loneliness" not in shown


def test_the_week_is_drawn_and_machines_get_its_numbers(command: Command, database: Database) -> None:
    with database.write() as db:
        for hours, joy, mood in ((100, 0.0, "lonely"), (50, 1.0, "playful"), (1, 0.5, "content")):
            history.record(db, NOW - timedelta(hours=hours), REST | {"joy": joy}, {}, mood, "tick")
    lines = command("mood").out.splitlines()
    [joy] = [line.split("\t")[1] for line in lines if line.startswith("joy\t")]
    assert len(joy) == 42 and joy.replace("·", "") == "▁█▅"
    told = command("mood", "--json").json
    assert sum(one is not None for one in told["emotions"]["joy"]) == 3
    assert "playful" in [word for words in told["days"].values() for word in words]


def test_what_is_on_its_mind_can_be_read(command: Command, database: Database) -> None:
    with database.write() as db:
        mind_queue.add(db, "follow_up", "Ask how Monday at the harbour went", "f1", NOW, priority=2)
    assert "follow up\tAsk how Monday at the harbour went" in command("mood").out
    [thought] = command("mood", "--json").json["on_mind"]
    assert thought == {"kind": "follow_up", "priority": 2, "thought": "Ask how Monday at the harbour went"}


def test_a_wrong_number_of_the_inner_life_is_named_by_config_check(command: Command, data: Path) -> None:
    assert command("config", "check").out.startswith("All settings are right.")
    own = data / "config" / "inner_life.toml"
    own.parent.mkdir(exist_ok=True)
    own.write_text("[queue.most]\nneed = 0\n")
    checked = command("config", "check")
    assert checked.status == 1 and "queue.most.need must lie between 1 and 50" in checked.out


def test_it_is_drawn_into_a_file_and_told_in_words(command: Command, database: Database, tmp_path: Path) -> None:
    with database.write() as db:
        for hours, joy, mood in ((30, 0.1, "lonely"), (29, 0.9, "playful"), (28, 0.5, "playful")):
            history.record(db, NOW - timedelta(hours=hours), REST | {"joy": joy}, {}, mood, "tick")
    told = command("mood", "--plot", str(tmp_path / "out.svg")).out
    assert "Mostly lonely, then playful" in told and "joy (10 to 90%, now 30%)" in told and "Drawn into" in told
    assert "<title>playful</title>" in (tmp_path / "out.svg").read_text(encoding="utf-8")
    command("mood", "--plot", str(tmp_path / "out.PNG"), "--since", "2d", "--theme", "dark")
    assert (tmp_path / "out.PNG").read_bytes().startswith(b"\x89PNG")
    refused = command("mood", "--plot", "out.gif")
    assert refused.status == 2 and "end in .svg or .png" in refused.err
    assert command("mood", "--since", "2d").status == 2
    nothing = command("mood", "--plot", str(tmp_path / "none.svg"), "--since", "2h")
    assert nothing.status == 1 and "Nothing was written down" in nothing.out and not (tmp_path / "none.svg").exists()
