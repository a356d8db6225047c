"""How this person likes to be spoken to, through real turns: what is learned of it, and what the mind is told."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from furoshiki.archive.forgetting import forgetting
from furoshiki.archive.import_export import exporting, importing
from furoshiki.conversation import commit
from furoshiki.core.database.connection import Database
from furoshiki.language.reflex.situation import Situation
from furoshiki.messages.store import accounts, inbox
from furoshiki.models.llm.values import Answer, Question
from furoshiki.owner.user_model import style
from furoshiki.owner.user_model.forms import ReadStyle
from furoshiki.owner.user_model.rules.style_choosing import Block
from furoshiki.owner.user_model.rules.style_traits import LEAST_OBSERVATIONS, Trait, observe
from furoshiki.owner.user_model.rules.style_wishes import FIRST
from furoshiki.owner.user_model.store import style as style_store
from furoshiki.world import World
from tests.support.persons import BEGINNER, EXPERT, OWL, PERSONS, Person
from tests.support.world import FrozenClock, Human, Script

HEADING = "How they like to be spoken to"
CLOSING = "This is manner; who you are outranks it"


def traits(world: World) -> dict[str, Trait]:
    with world.database.read() as db:
        return style_store.traits(db)


def messages(world: World) -> int:
    """How many turns of theirs were measured."""
    found = traits(world)
    return found["verbosity"].observations if found else 0


def know(world: World, **values: float) -> None:
    """Somebody whose manner has long been known."""
    with world.database.write() as db:
        style_store.put(db, [Trait(name, value, value, 20, world.now) for name, value in values.items()], world.now)


def told(words: str) -> list[str]:
    """The lines of the block in what the mind was shown."""
    if HEADING not in words:
        return []
    return words.split(HEADING)[1].split(CLOSING)[0].splitlines()[1:]


async def lives(person: Person, human: Human, clock: FrozenClock) -> None:
    for seconds, said in person.said:
        clock.pass_(seconds=seconds)
        await human.says(said)


EXPECTED = {
    EXPERT.name: Block(("verbosity-low", "directness-high"), ("technical",)),
    BEGINNER.name: Block(("directness-low", "emotional-low")),
    OWL.name: Block(("pacing-high", "verbosity-low", "formality-low", "emotional-high")),
}


@pytest.mark.slow
@pytest.mark.parametrize("person", PERSONS, ids=lambda person: person.name)
async def test_three_people_are_spoken_to_in_three_ways(
    world: World, human: Human, clock: FrozenClock, model: Script, tmp_path: Path, person: Person
) -> None:
    assert len(person.said) == 30
    await lives(person, human, clock)
    with world.database.read() as db:
        block = style.build_block(db, clock.at)
    assert (block.slots, block.wishes) == (EXPECTED[person.name].slots, EXPECTED[person.name].wishes)
    assert _read_by_another_process(tmp_path, clock.at) == repr(block)
    clock.pass_(hours=10)
    await human.says("the book about lighthouses is back at the library")
    lines = "\n".join(told(model.turn_words))
    assert ("Keep it short: two or three sentences" in lines) is (person is not BEGINNER)
    assert ("the point first, with no cushion around it" in lines) is (person is EXPERT)
    assert ("the proper technical terms" in lines) is (person is EXPERT)
    assert ("reassure first, offer rather than tell" in lines) is (person is BEGINNER)
    assert ("They write loosely, as to a friend" in lines) is (person is OWL)


def _read_by_another_process(data: Path, now: datetime) -> str:
    code = (
        "from datetime import datetime; from pathlib import Path; from furoshiki.owner.user_model import style\n"
        "from furoshiki.core.database.connection import Database\n"
        f"with Database(Path({str(data / 'memory' / 'longmemory.sqlite')!r})).read() as db:\n"
        f"    print(repr(style.build_block(db, datetime.fromisoformat({now.isoformat()!r}))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    return done.stdout.strip()


async def test_each_turn_is_one_observation_of_each_dimension(world: World, human: Human, clock: FrozenClock) -> None:
    await human.says("hello there, how is the evening going for you?")
    assert {name: one.observations for name, one in traits(world).items()} == {
        "verbosity": 1,
        "directness": 1,
        "formality": 1,
        "emotional_valence": 1,
        "energy": 1,
    }
    clock.pass_(seconds=20)
    await human.says("fine here")
    assert traits(world)["verbosity"].observations == 2
    assert traits(world)["pacing"] == observe(Trait("pacing"), 8.5, world.now)


async def test_a_burst_is_one_observation_of_all_its_words(world: World, human: Human, model: Script) -> None:
    began = asyncio.Event()

    async def slow_once() -> None:
        if not began.is_set():
            began.set()
            await asyncio.sleep(30)

    model.pause = slow_once
    human.writes("so listen to this please")
    turning = asyncio.create_task(human.worker.step())
    await asyncio.wait_for(began.wait(), 5)
    human.writes("we saw the sea today")
    human.writes("and it was quite cold")
    await asyncio.wait_for(turning, 5)
    assert traits(world)["verbosity"] == observe(Trait("verbosity"), 4.0, world.now)


async def test_a_turn_that_is_begun_again_counts_once(world: World, human: Human, model: Script) -> None:
    model.lines = [RuntimeError("the model's reader broke"), "Fine."]
    await human.says("tell me about lighthouses")
    assert messages(world) == 1


async def test_a_turn_that_breaks_while_it_is_put_on_record_counts_once(
    world: World, human: Human, monkeypatch: pytest.MonkeyPatch
) -> None:
    breaks, finish = [True], inbox.finish

    def broken(db: sqlite3.Connection, ids: list[int], now: datetime) -> None:
        assert style_store.traits(db)["verbosity"].observations == 1
        if breaks.pop():
            breaks.append(False)
            raise RuntimeError("the power went")
        finish(db, ids, now)

    with monkeypatch.context() as breaking:
        breaking.setattr(commit, "inbox", SimpleNamespace(finish=broken))
        await human.says("shorter please")
    with world.database.read() as db:
        assert style_store.traits(db)["verbosity"].observations == 1
        assert style_store.wishes(db)["brief"].strength == FIRST


async def test_a_message_that_is_corrected_before_its_answer_is_sent_counts_once(world: World, human: Human) -> None:
    await human.says("shorter please", message_id="500")
    await human.says("shorter please, and use bullet points", kind="edit", message_id="500", was="text")
    assert messages(world) == 1
    assert traits(world)["verbosity"].value == pytest.approx(5.5 + 0.5 * (1.0 - 5.5))


async def test_what_was_passed_on_or_only_captioned_is_not_theirs(world: World, human: Human) -> None:
    await human.says("no emojis please!!! 😂", forwarded="Anika")
    await human.says("shorter please", kind="photo", attachment={"file_id": "p", "media_type": "image/jpeg"})
    with world.database.read() as db:
        assert (style_store.traits(db), style_store.wishes(db)) == ({}, {})


async def test_a_wish_is_kept_to_in_the_very_answer_and_afterwards(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    await human.says("shorter please, and no emojis")
    first = told(model.last_words)
    assert first == [
        "- They have asked for this: no emoji at all, not even as a reaction; short answers. "
        "Keep to it without a word about it."
    ]
    clock.pass_(days=20)
    await human.says("the lighthouse at the end of the pier was closed today")
    assert first[0] in told(model.last_words)
    clock.pass_(days=20)
    await human.says("it was closed again today")
    assert "They have asked for this" not in model.last_words


async def test_a_stranger_is_not_judged_by_one_message(human: Human, model: Script, clock: FrozenClock) -> None:
    await human.says("Explain.")
    await human.says("Compare.")
    assert HEADING not in model.last_words
    clock.pass_(seconds=LEAST_OBSERVATIONS)
    await human.says("Again.")
    assert "- Keep it short" in model.last_words


async def test_the_block_stands_in_the_moment_and_not_in_what_is_cached(
    world: World, human: Human, model: Script
) -> None:
    know(world, verbosity=2)
    await human.says("hello")
    asked = model.questions[-1]
    assert HEADING in asked.messages[-1].text and CLOSING in asked.messages[-1].text
    assert not any(HEADING in block.text for block in asked.system)


async def test_short_shrinking_questions_lower_the_load(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    know(world, verbosity=2)
    for said in ("which of the two trains should we take on sunday?", "the early one? why?", "sure?"):
        clock.pass_(seconds=30)
        await human.says(said)
    assert told(model.last_words)[0].startswith("- They have no room left just now")


async def test_a_message_that_is_livelier_than_they_usually_are_is_met(
    world: World, human: Human, model: Script
) -> None:
    know(world, energy=4)
    await human.says("we got the house!!! 🎉🎉")
    assert told(model.last_words) == ["- They are livelier than usual in this message: meet it."]
    await human.says("and the garden is small")
    assert HEADING not in model.last_words


async def test_a_fork_is_offered_every_fifth_exchange_and_only_to_a_mind_that_reads(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    know(world, verbosity=5.5, depth_preference=5.4)
    forks = []
    by_rule = [True]

    def say(question: Question) -> Answer:
        name = "reflex" if by_rule.pop() else "script"
        by_rule.append(False)
        forks.append("You cannot tell yet" in question.messages[-1].text)
        return Answer("Mhm.", "stop", "scripted", name, question.tier)

    model.lines = [say] * 8
    for number in range(8):
        clock.pass_(hours=1)
        await human.says(
            f"lighthouse number {number} on this coast has a red door, a green roof and a keeper with a dog"
        )
    assert forks == [True, True, False, False, False, False, True, False]


async def test_a_lasting_shift_is_told_once_in_a_day(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    know(world, verbosity=2, directness=6.5, formality=5, emotional_valence=5.5, energy=4)
    seen = []
    walked = (
        "i went along the coast with my sister today and we looked at one lighthouse after another, the red one at the "
        "point first, then the small one where you can climb up, then the two on the island that you can see from the "
        "road. at the fourth we had our sandwiches and she drew it in her book, and i took a picture of the lamp and "
        "of the boats below. then we drove on to the one with the museum, which has the old lamps and a map of every "
        "light from here to the border, and i bought a postcard of it, and then we went home by the inland road"
    )
    for _ in range(10):
        clock.pass_(minutes=25)
        await human.says(walked)
        seen.append("there seems to be more that they want to tell" in model.last_words)
    assert seen.count(True) == 1 and not any(seen[:4])
    clock.pass_(hours=30)
    await human.says("we walked along the coast again")
    assert "there seems to be more" not in model.last_words


async def test_how_pushback_is_taken_moves_how_much_of_it_comes(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    with world.database.write() as db:
        for _ in range(3):
            style.learn_reading(db, ReadStyle(challenge_appetite=9), world.now)
    assert traits(world)["challenge_appetite"].observations == 3 and len(traits(world)) == 1
    model.lines = ["I see it differently: the small boat is enough."] * 3
    await human.says("we should buy the big boat")
    assert "They like to be contradicted" in model.last_words
    for said in ("stop it, that makes me so angry", "no, that is wrong, and i am angry now", "let us speak of the sea"):
        clock.pass_(seconds=30)
        await human.says(said)
    assert "They like to be contradicted" not in model.last_words
    assert "Do not push back hard" in model.last_words


@pytest.mark.parametrize("dimension", ["abstraction_level", "certainty_level", "depth_preference"])
async def test_what_only_a_reading_sees_is_in_the_next_conversation(
    world: World, human: Human, model: Script, dimension: str
) -> None:
    for value, lines in ((9, 1), (1, 1)):
        with world.database.write() as db:
            for _ in range(8):
                style.learn_reading(db, ReadStyle.model_validate({dimension: value}), world.now)
        await human.says("we saw the lighthouse on the coast today")
        assert len(told(model.last_words)) == lines
    high, low = (told(one.messages[-1].text) for one in model.questions)
    assert high != low


async def test_a_reading_that_shows_nothing_changes_nothing(world: World) -> None:
    with world.database.write() as db:
        style.learn_reading(db, ReadStyle(), world.now)
    assert traits(world) == {}


async def test_forgetting_what_was_said_leaves_the_wish_and_takes_where_it_came_from(
    world: World, human: Human
) -> None:
    with world.database.write() as db:
        accounts.pair(db, "telegram", "7", "7", "owner", world.now, "Ines")
    await human.says("hello Zephyrine, shorter please")
    with world.database.read() as db:
        assert style_store.wishes(db)["brief"].turn_id == 1
    outlook = forgetting.look(world, "Zephyrine")
    assert forgetting.forget(world, "Zephyrine", outlook.token) is not None
    with world.database.read() as db:
        assert style_store.wishes(db)["brief"].turn_id is None


async def test_what_is_known_of_their_manner_can_be_taken_along(
    world: World, human: Human, tmp_path: Path, empty_database: Path
) -> None:
    await human.says("shorter please")
    await human.says("Explain the tides.")
    exporting.to_file(world.database, tmp_path / "mine.jsonl", "jsonl", world.now, world.zone)
    (tmp_path / "other.sqlite").write_bytes(empty_database.read_bytes())
    other = Database(tmp_path / "other.sqlite")
    done = importing.import_file(other, tmp_path / "mine.jsonl")
    assert not done.bad
    with world.database.read() as mine, other.read() as theirs:
        assert style.build_block(theirs, world.now) == style.build_block(mine, world.now) != Block()
        assert {one.observations for one in style_store.traits(theirs).values()} == {2, 1}
    importing.import_file(other, tmp_path / "mine.jsonl")
    with other.read() as theirs:
        assert style_store.traits(theirs)["verbosity"].observations == 2
    other.close()


async def test_the_built_in_mind_knows_what_was_asked_for(human: Human, model: Script, clock: FrozenClock) -> None:
    await human.says("shorter please")
    clock.pass_(minutes=1)
    await human.says("we saw the lighthouse today")
    first, second = (cast(Situation, question.situation()) for question in model.questions if question.situation)
    assert (first.wished, first.wishes, first.concise) == (("brief",), ("brief",), True)
    assert (second.wished, second.wishes, second.concise) == ((), ("brief",), True)
