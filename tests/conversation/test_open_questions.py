"""A plain yes or no answers the question that was asked last, whatever it was, and never one that is over."""

from __future__ import annotations

import pytest

from furoshiki.conversation.commands import forget
from furoshiki.core.catalogue import everywhere
from furoshiki.language.requests.consent import consent
from furoshiki.messages.store import accounts, turns
from furoshiki.owner.user_model import user
from furoshiki.world import World
from tests.support.world import FrozenClock, Human, Script

BERLIN = {"latitude": 52.52, "longitude": 13.40}


@pytest.fixture(autouse=True)
def owned(world: World) -> None:
    with world.database.write() as db:
        accounts.pair(db, "telegram", "7", "7", "owner", world.now, "Ines")


def held(world: World, word: str) -> bool:
    with world.database.read() as db:
        return db.execute("SELECT count(*) FROM turns WHERE text LIKE ?", (f"%{word}%",)).fetchone()[0] > 0


@pytest.mark.parametrize("yes", ["yes", "Yes please", "go ahead", "ja", "👍"])
async def test_yes_forgets_what_was_shown(world: World, human: Human, yes: str) -> None:
    await human.says("my locker is number 5561")
    await human.says("/forget 5561")
    [done] = await human.says(yes)
    assert done.startswith("Forgotten: ")
    assert not held(world, "5561")


@pytest.mark.parametrize("no", ["no", "nope", "rather not", "nein danke"])
async def test_no_keeps_it(world: World, human: Human, no: str) -> None:
    await human.says("my locker is number 5561")
    await human.says("/forget 5561")
    [kept] = await human.says(no)
    assert kept in everywhere(forget.KEPT)
    assert held(world, "5561")


async def test_a_question_is_answered_once(world: World, human: Human, model: Script) -> None:
    await human.says("my locker is number 5561")
    await human.says("/forget 5561")
    await human.says("no")
    model.lines = ["Yes to what?"]
    assert await human.says("yes") == ["Yes to what?"]
    assert held(world, "5561")


async def test_a_yes_after_other_talk_is_no_answer(world: World, human: Human, model: Script) -> None:
    await human.says("my locker is number 5561")
    await human.says("/forget 5561")
    model.lines = ["Shall we go to the lake?", "Lovely."]
    await human.says("what shall we do today")
    assert await human.says("yes") == ["Lovely."]
    assert held(world, "5561")


async def test_a_command_in_between_leaves_the_question_open(world: World, human: Human) -> None:
    await human.says("my locker is number 5561")
    await human.says("/forget 5561")
    await human.says("/mood")
    [done] = await human.says("yes")
    assert done.startswith("Forgotten: ")


async def test_nobody_else_answers_for_the_owner(world: World, human: Human, clock: FrozenClock) -> None:
    await human.says("my locker is number 5561")
    await human.says("/forget 5561")
    here = Human(world, human.worker, channel="console", chat_id="console", sent=50)
    await here.says("yes")
    assert held(world, "5561")
    clock.pass_(minutes=1)
    await human.says("yes")
    assert not held(world, "5561")


@pytest.mark.parametrize(("said", "zone"), [("sure", "Europe/Berlin"), ("no thanks", "Europe/Lisbon")])
async def test_the_question_of_the_time_zone_is_answered_in_words(
    world: World, human: Human, said: str, zone: str
) -> None:
    await human.says("", kind="location", attachment=BERLIN)
    [words] = await human.says(said)
    assert ("From now on" in words) is (zone == "Europe/Berlin")
    with world.database.read() as db:
        assert str(user.zone(world, db)) == zone


async def test_an_answer_is_on_record_as_a_command(world: World, human: Human) -> None:
    await human.says("/forget 5561")
    await human.says("my locker is number 5561")
    await human.says("/forget 5561")
    await human.says("no")
    with world.database.read() as db:
        newest = turns.newest_said(db, "telegram", "7")[0]
    assert (newest.kind, consent(newest.text)) == ("command", False)


async def test_a_lone_slash_is_something_said(human: Human, model: Script) -> None:
    model.lines = ["A slash?"]
    assert await human.says("/") == ["A slash?"]
