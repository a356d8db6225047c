"""The owner sees what the companion keeps of others, and can have all of it forgotten."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from furoshiki.app.wiring import SystemClock, build_world
from furoshiki.core.settings import load
from furoshiki.messages.roles import Person
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER, NewTurn
from furoshiki.owner.people.places import People
from tests.support.shell import Command


@pytest.fixture
def bea(data: Path) -> str:
    """Somebody who said something; returns the name of their place."""
    people = People()
    world = people.world(
        build_world(load(), SystemClock(), spawn_memoryd=False), Person("member", "telegram", "31", "31", "Bea")
    )
    with world.database.write() as db:
        turns.add(db, NewTurn("s", "telegram", "31", USER, "I play the xylophone", datetime(2026, 3, 1, tzinfo=UTC)))
    people.close()
    return "telegram-31"


def test_nobody_else_is_said_so(command: Command) -> None:
    assert "Nobody but you" in command("people").out
    assert command("people", "--json").json == []


def test_everybody_is_listed_with_how_much_is_kept(command: Command, bea: str) -> None:
    [found] = command("people", "--json").json
    assert found == {
        "place": bea,
        "name": "Bea",
        "group": False,
        "messages": 1,
        "facts": 0,
        "last_at": "2026-03-01T00:00:00+00:00",
    }
    assert "Bea" in command("people").out


def test_what_they_said_is_found_where_it_is_and_not_in_the_owners_memory(command: Command, bea: str) -> None:
    theirs = command("memory", "--person", bea, "export", "-").out
    assert "xylophone" in theirs
    assert "xylophone" not in command("memory", "export", "-").out
    assert command("memory", "--person", bea, "why", "turn:1", "--json").json["text"] == "I play the xylophone"


def test_the_owner_has_it_forgotten_in_part_or_whole(command: Command, bea: str, data: Path) -> None:
    done = command("memory", "--person", bea, "forget", "xylophone", "--yes", "--json").json
    assert done["forgotten"] and len(done["turns"]) == 1
    assert command("memory", "--person", bea, "stats", "--json").json["turns"] == 0
    assert command("people", "--remove", bea).status == 2
    assert command("people", "--remove", bea, "--yes", "--json").json == {"removed": bea}
    assert not (data / "memory" / "people" / bea).exists()


@pytest.mark.parametrize(
    "args",
    [
        ("memory", "--person", "telegram-99", "stats"),
        ("memory", "--person", "../..", "forget", "x", "--yes"),
        ("people", "--remove", "../../config", "--yes"),
    ],
)
def test_nobody_of_that_name_is_said_so(command: Command, data: Path, args: tuple[str, ...]) -> None:
    ended = command(*args)
    assert ended.status == 1 and "furoshiki people" in ended.err
    assert (data / "memory" / "longmemory.sqlite").exists()


def test_old_conversations_are_the_owners(command: Command, bea: str) -> None:
    assert command("memory", "--person", bea, "import", "x.jsonl").status == 2
