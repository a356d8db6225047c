"""What is on its mind for half an hour: shown with the next message, gone when its time is over or its words are."""

from __future__ import annotations

from furoshiki.memory.store import gists
from furoshiki.memory.store.gists import Gist
from furoshiki.models.llm.values import ToolCall
from furoshiki.world import World
from tests.support.forgetting import forget
from tests.support.world import FrozenClock, Human, Script

NOTE = "They have ten minutes before the train."


async def test_a_note_is_shown_for_half_an_hour_and_no_longer(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    model.lines = [ToolCall("1", "memorize", {"text": NOTE, "for_now": True}), "Then quickly.", "Yes.", "Later."]
    await human.says("I have ten minutes before my train")
    assert NOTE not in model.questions[0].messages[-1].text
    await human.says("which platform is it usually?")
    assert "What you noted to yourself within the last half hour" in model.last_words
    assert NOTE in model.last_words
    clock.pass_(minutes=31)
    await human.says("made it")
    assert NOTE not in model.last_words
    with world.database.read() as db:
        assert db.execute("SELECT count(*) FROM memories WHERE content LIKE '%train%'").fetchone()[0] == 0


async def test_a_passing_thought_is_told_once_and_as_a_thought(world: World, human: Human, model: Script) -> None:
    thought = Gist("drift", "question", "Would the harbour have been quieter?", world.now, ("memory:3",))
    with world.database.write() as db:
        assert gists.add(db, thought) == gists.add(db, thought)
    await human.says("hello there")
    shown = model.last_words
    assert "your own passing thoughts, not facts" in shown
    assert "- a question: Would the harbour have been quieter?" in shown
    await human.says("and again")
    assert "harbour" not in model.last_words
    with world.database.read() as db:
        assert gists.current(db, world.now)[0].shown_at == world.now


async def test_a_note_goes_with_the_words_it_rests_on(world: World, human: Human, model: Script) -> None:
    model.lines = [ToolCall("1", "memorize", {"text": "Zeppelin plans tonight.", "for_now": True}), "Noted."]
    await human.says("I think of the Zeppelinmuseum in Friedrichshafen for tonight")
    forget(world, "Zeppelinmuseum")
    with world.database.read() as db:
        assert gists.current(db, world.now) == []


async def test_a_note_of_another_conversation_is_not_shown(world: World, human: Human, model: Script) -> None:
    with world.database.write() as db:
        gists.add(db, Gist("user", "note", NOTE, world.now, ("inbox:99",), "20250101-0900"))
    await human.says("good evening")
    assert NOTE not in model.last_words


async def test_a_passing_thought_waits_while_somebody_is_in_danger(world: World, human: Human, model: Script) -> None:
    with world.database.write() as db:
        gists.add(db, Gist("drift", "question", "Would the harbour have been quieter?", world.now, ("memory:3",)))
    await human.says("I want to kill myself")
    assert "harbour" not in model.last_words
    with world.database.read() as db:
        assert gists.current(db, world.now)[0].shown_at is None
