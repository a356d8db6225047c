"""Of what waits on its mind, what has to do with their words comes up beside them."""

from __future__ import annotations

from furoshiki.owner.agenda.store import mind_queue
from furoshiki.world import World
from tests.support.world import Human, Script

PIANO = "Ask how the piano lesson went"
GARDEN = "Ask what became of the tomatoes in the garden"
BOOK = "Ask whether the novel about the lighthouse was finished"
ROOF = "Ask whether somebody repaired the leaking roof"


def on_its_mind(world: World, *thoughts: str, priority: int = 3) -> None:
    with world.database.write() as db:
        for words in thoughts:
            mind_queue.add(db, "follow_up", words, words, world.now, priority=priority)


async def test_the_thought_that_has_to_do_with_their_words_comes_to_mind(
    world: World, human: Human, model: Script
) -> None:
    on_its_mind(world, PIANO, GARDEN, BOOK, ROOF)
    await human.says("Something has eaten the tomatoes again, I am going to the garden.")
    assert GARDEN in model.last_words and ROOF not in model.last_words
    await human.says("There is a wet spot under the roof, it must be leaking. What do I do?")
    assert ROOF in model.last_words, "the fourth of four, of which three are shown"
    assert BOOK not in model.last_words, "of those that have nothing to do with it the oldest"


async def test_what_is_urgent_comes_before_what_has_to_do_with_their_words(
    world: World, human: Human, model: Script
) -> None:
    on_its_mind(world, PIANO, GARDEN, BOOK, ROOF)
    on_its_mind(world, "Tell them that the visa papers are due on Tuesday", priority=1)
    await human.says("There is a wet spot under the roof, it must be leaking. What do I do?")
    assert "visa papers" in model.last_words and ROOF in model.last_words and BOOK not in model.last_words
