"""`furoshiki profile`: what the companion takes its user for can be read, with what it's based on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.language.tables.wish_names import WISHES
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER, NewTurn
from furoshiki.owner.user_model.rules import style_summary
from furoshiki.owner.user_model.rules.profile import Gap, Profile, Statement
from furoshiki.owner.user_model.rules.style_traits import NAMES, Trait
from furoshiki.owner.user_model.rules.style_wishes import Wish
from furoshiki.owner.user_model.store import profiles, style
from tests.support.shell import Command

NOW = datetime.now(UTC)


@pytest.fixture
def database(data: Path) -> Database:
    return Database(data / "memory" / "longmemory.sqlite")


def test_before_the_first_there_is_a_word_about_when_it_comes(command: Command, database: Database) -> None:
    database.close()
    assert command("profile").out.startswith("There is no profile yet")


def test_a_profile_is_shown_as_it_holds_now(command: Command, database: Database) -> None:
    with database.write() as db:
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
    assert "You live in Porto. You like tea." in shown
    assert f"You like tea. [memory:{tea}]" in shown
    assert f"Is it so: They like tea. [memory:{tea}]" in shown
    with database.write() as db:
        memories.close(db, home, NOW)
    found = command("profile", "--json").json
    assert [one["text"] for one in found["mini"]] == ["They like tea."]
    assert "Porto" not in command("profile").out


def test_how_you_like_to_be_spoken_to_is_told_in_words(command: Command, database: Database) -> None:
    with database.write() as db:
        brief, once = Trait("verbosity", 2.2, 2.4, 31, NOW), Trait("pacing", 9.0, 9.0, 1, NOW)
        style.put(db, [brief, once, Trait("depth_preference", 5.0, 5.0, 3, NOW), Trait("energy", 9, 9, 31, NOW)], NOW)
        style.put_wishes(db, [Wish("no_emoji", 0.7, NOW), Wish("german", 0.7, NOW - timedelta(days=50))])
    shown = command("profile").out
    assert shown.startswith("There is no profile yet")
    assert "You write briefly, and get short answers. (2.2 of 10, from 31 messages)" in shown
    assert "You like some of the why with the what. (5.0 of 10, from 3 conversations)" in shown
    assert "You asked for no emoji: kept to for 27 more days, unless you say it again." in shown
    assert "fast" not in shown and "German" not in shown and "energy" not in shown
    found = command("profile", "--json").json["style"]
    assert found["dimensions"]["pacing"] == {"value": 9.0, "baseline": 9.0, "observations": 1}
    assert list(found["wishes"]) == ["no_emoji"]


def test_every_dimension_and_every_wish_has_its_words() -> None:
    traits = {name: Trait(name, value, value, 5, NOW) for name, value in zip(NAMES, [2, 5, 9] * 3, strict=True)}
    kept = {name: Wish(name, 1.0, NOW) for name in WISHES}
    told = style_summary.section(traits, kept, NOW)
    assert told is not None and len(told.splitlines()) == 2 + len(NAMES) + len(WISHES)
    assert style_summary.section({}, {}, NOW) is None
