"""`furoshiki profile`: what the companion takes its user for can be read, with what it rests on."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from furoshiki.domain.conversation import USER, NewTurn
from furoshiki.domain.profile import Gap, Profile, Statement
from furoshiki.storage import memories, profiles, turns
from furoshiki.storage.memories import NewMemory
from furoshiki.storage.store import Store
from tests.cli.conftest import Command

NOW = datetime.now(UTC)


@pytest.fixture
def store(data: Path) -> Store:
    return Store(data / "memory" / "longmemory.sqlite")


def test_before_the_first_there_is_a_word_about_when_it_comes(command: Command, store: Store) -> None:
    store.close()
    assert command("profile").out.startswith("There is no profile yet")


def test_a_profile_is_shown_as_it_holds_now(command: Command, store: Store) -> None:
    with store.write() as db:
        turn = turns.add(db, NewTurn("s", "console", "console", USER, "I live in Porto and like tea", NOW))
        home = memories.add(db, NewMemory("semantic", "They live in Porto.", (turn,)), NOW)
        tea = memories.add(db, NewMemory("preference", "They like tea.", (turn,)), NOW)
        said = (
            Statement("location", "They live in Porto.", (home,)),
            Statement("preference", "They like tea.", (tea,)),
        )
        profiles.put(
            db, Profile(said, said, (Gap("preference", "Is it so: They like tea.", 0.3, (tea,)),)), "x", "r", NOW
        )
    shown = command("profile").out
    assert "They live in Porto. They like tea." in shown
    assert f"They like tea. [memory:{tea}]" in shown
    assert f"Is it so: They like tea. [memory:{tea}]" in shown
    with store.write() as db:
        memories.close(db, home, NOW)
    found = command("profile", "--json").json
    assert [one["text"] for one in found["mini"]] == ["They like tea."]
    assert "Porto" not in command("profile").out
