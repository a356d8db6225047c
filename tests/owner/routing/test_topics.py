"""What a person notices of it when their conversation turns to another subject, and nothing of it when it does not."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from furoshiki.archive.forgetting import forgetting
from furoshiki.conversation.context import build_context
from furoshiki.conversation.worker import Worker
from furoshiki.core.database import kv
from furoshiki.memory import facts, focus
from furoshiki.memory.perception.perceive import perceive
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory, Note
from furoshiki.messages.store import inbox, turns
from furoshiki.models.llm.values import Question
from furoshiki.owner.routing.store import topics, turn_topics
from furoshiki.world import World
from tests.support.encoders import WordEncoder
from tests.support.labelled import Remembered
from tests.support.rows import user_said
from tests.support.world import FrozenClock, Human, Script, claimed

SESSION = [
    "can't sleep",
    "head's going round and round",
    "it's been like that since monday, I lie there till two",
    "coffee, yes, but only until four or so",
    "I look at my phone I admit",
    "what would help right now though, I have to be up at seven",
    "four in, hold seven, out eight?",
    "did it five times, feel a bit dizzy but calmer",
    "thanks",
    "part of it is the money to be honest",
    "by the way, I got the letter that my grant ends in september, not in december as I thought",
    "that's three months of rent I don't have",
]
CHANGE = 10
FIRST, LAST = SESSION[0], SESSION[CHANGE - 1]
SUMMARY = "Jonas has lain awake since Monday, with coffee until four and the phone in bed; breathing slowly helped."


async def played(human: Human, clock: FrozenClock, told: list[str]) -> None:
    for one in told:
        clock.pass_(seconds=45)
        await human.says(one)


def noted(world: World, content: str) -> None:
    with world.database.write() as db:
        said = turns.newest_id(db)
        facts.learn(db, Note(content, "semantic", "user", "likes", "opera", "preferences"), [said], world.now)


def answering(question: Question) -> str:
    return SUMMARY if question.purpose == "compaction" else "Mhm."


@pytest.fixture
def model() -> Script:
    return Script(lines=[answering] * 200)


def seen(world: World) -> list[tuple[turn_topics.Row, str, str]]:
    with world.database.read() as db:
        return turn_topics.newest(db, 100)[::-1]


@pytest.fixture
def talking(world: World) -> Human:
    seeing = replace(world, vectors=Remembered(WordEncoder()))
    return Human(seeing, Worker(seeing))


def in_view(question: Question) -> str:
    return "".join(message.text for message in question.messages)


def asked(model: Script, purpose: str) -> list[Question]:
    return [question for question in model.questions if question.purpose == purpose]


async def test_another_subject_folds_the_one_before_and_repeats_what_is_known(
    talking: Human, clock: FrozenClock, model: Script
) -> None:
    await played(talking, clock, SESSION[:CHANGE])
    noted(talking.world, "She likes the opera.")
    assert FIRST in in_view(model.questions[-1])
    assert asked(model, "compaction") == []

    await played(talking, clock, [SESSION[CHANGE]])
    [folding] = asked(model, "compaction")
    assert FIRST in folding.messages[0].text and LAST not in folding.messages[0].text
    turning = asked(model, "turn")[-1]
    assert FIRST in in_view(turning), "nothing is missing before its summary is there"
    assert "She likes the opera" not in turning.system[1].text

    await played(talking, clock, [SESSION[CHANGE + 1]])
    after = asked(model, "turn")[-1]
    assert SUMMARY in after.system[-1].text
    assert FIRST not in in_view(after) and LAST in in_view(after), "some of the old subject stays"
    assert "She likes the opera" in after.system[1].text
    with talking.world.database.read() as db:
        money, sleep = topics.latest(db, "telegram", "7", "", 5)
        left = kv.get(db, focus.KEY)["turns"]
    assert (sleep.name, sleep.named_by, sleep.messages) == ("monday coffee four phone", "summary", CHANGE)
    new = {row.turn_id for row, _, _ in seen(talking.world)[-2:]}
    assert money.messages == 2 and left and set(left) <= new, "the focus begins with the new subject"
    kinds = [row.kind for row, _, _ in seen(talking.world)]
    assert kinds == ["first", *["none"] * (CHANGE - 1), "marker", "none"]
    assert [row.boundary for row, _, _ in seen(talking.world)] == [True, *[False] * (CHANGE - 1), True, False]


async def test_none_of_it_happens_while_it_is_switched_off_or_the_subject_stays(
    talking: Human, clock: FrozenClock, model: Script
) -> None:
    settings = talking.world.settings.model_copy(update={"furoshiki_boundaries": False})
    unseeing = replace(talking.world, settings=settings)
    talking.worker = Worker(unseeing)
    await played(talking, clock, SESSION[:CHANGE])
    noted(talking.world, "She likes the opera.")
    await played(talking, clock, SESSION[CHANGE : CHANGE + 2])
    after = asked(model, "turn")[-1]
    assert FIRST in in_view(after) and asked(model, "compaction") == [] and seen(talking.world) == []
    assert "She likes the opera" not in after.system[1].text


async def test_the_message_is_embedded_once(talking: Human, clock: FrozenClock) -> None:
    said = [one for one in SESSION[1:6] if len(one) >= 25]
    await played(talking, clock, said)
    vectors = talking.world.vectors
    assert isinstance(vectors, Remembered)
    assert [text for text in vectors.asked_memoryd if text in SESSION] == said


async def test_a_subject_that_comes_back_is_known_again(talking: Human, clock: FrozenClock, model: Script) -> None:
    await talking.says("The camellias in the garden have brown buds after the frost.")
    for subject in ("By the way, the train ticket to Vienna is bought.", "Seat by the window, platform three."):
        clock.pass_(minutes=2)
        await talking.says(subject)
    assert "have come back to something" not in model.last_words
    clock.pass_(days=2)
    await talking.says("The camellias have no green buds at all since that frost.")
    said = "The camellias in the garden have brown buds after the frost."
    assert f"They may have come back to something of 24 March 2026: “{said}”." in model.last_words
    clock.pass_(minutes=2)
    await talking.says("Not one green point on the old camellia.")
    assert "have come back to something" not in model.last_words
    assert [name for _, _, name in seen(talking.world)][-1] == "camellias buds frost green"


async def test_what_was_said_today_is_no_subject_that_comes_back(
    talking: Human, clock: FrozenClock, model: Script
) -> None:
    await talking.says("The camellias in the garden have brown buds after the frost.")
    for subject in (
        "By the way, the train ticket to Vienna is bought.",
        "By the way, the camellias and that frost again.",
    ):
        clock.pass_(minutes=2)
        await talking.says(subject)
    assert "have come back to something" not in model.last_words
    assert [name for _, _, name in seen(talking.world)][-1] == [name for _, _, name in seen(talking.world)][0]


async def test_why_says_what_made_it_another_subject(human: Human, clock: FrozenClock) -> None:
    await human.says("The tiles for the kitchen came today")
    clock.pass_(minutes=1)
    await human.says("By the way, my sister is pregnant")
    [told] = await human.says("/why all")
    assert "I thought the subject had changed: you said so yourself." in told


async def test_without_vectors_a_silence_and_words_that_say_so_are_enough(
    human: Human, clock: FrozenClock, model: Script
) -> None:
    for text, minutes in (
        ("The tiles for the kitchen came today", 0),
        ("They are greener than in the shop", 1),
        ("By the way, my sister is pregnant", 1),
        ("due in september", 1),
        ("good morning, the tiles again", 600),
    ):
        clock.pass_(minutes=minutes)
        await human.says(text)
    read = [(row.kind, row.boundary, name) for row, _, name in seen(human.world)]
    assert [kind for kind, _, _ in read] == ["first", "none", "marker", "none", "silence"]
    assert [name for _, _, name in read] == [
        *["tiles kitchen greener shop"] * 2,
        *["sister pregnant september"] * 2,
        "tiles",
    ]


async def test_a_forgotten_conversation_leaves_no_subject_behind(talking: Human, clock: FrozenClock) -> None:
    await talking.says("The camellias in the garden have brown buds after the frost.")
    clock.pass_(minutes=2)
    await talking.says("By the way, Felix plays the bass guitar in a garage.")
    clock.pass_(minutes=2)
    await talking.says("The guitar is louder than the garage allows.")
    world = talking.world
    shown = forgetting.look(world, "camellias")
    assert forgetting.forget(world, "camellias", shown.token)
    with world.database.read() as db:
        assert [one.name for one in topics.latest(db, "telegram", "7", "", 5)] == ["felix plays guitar garage"]
        assert kv.keys(db, "boundary.") == []
    shown = forgetting.look(world, "Felix")
    assert forgetting.forget(world, "Felix", shown.token)
    with world.database.read() as db:
        [left] = topics.latest(db, "telegram", "7", "", 5)
    assert "felix" not in left.name and left.name


async def test_what_is_forgotten_while_an_answer_is_made_does_not_come_back_with_it(
    talking: Human, clock: FrozenClock, model: Script
) -> None:
    world = talking.world

    def forgetting_it(question: Question) -> str:
        if question.purpose == "turn":
            shown = forgetting.look(world, "camellias")
            assert forgetting.forget(world, "camellias", shown.token)
        return "Mhm."

    for text in ("The camellias in the garden have brown buds after the frost.", "The camellias lost their buds."):
        clock.pass_(minutes=2)
        await talking.says(text)
    clock.pass_(minutes=2)
    model.lines[:0] = [forgetting_it]
    await talking.says("The rain came down on them the whole day.")
    with world.database.read() as db:
        [left] = topics.latest(db, "telegram", "7", WordEncoder().id, 5)
        assert kv.keys(db, "boundary.") == []
    assert (left.name, left.centroid) == ("rain", ())


async def test_forgetting_something_else_leaves_a_conversation_as_it_is(
    talking: Human, clock: FrozenClock, model: Script
) -> None:
    world = talking.world
    settings = world.settings.model_copy(update={"furoshiki_boundaries": False})
    talking.worker = Worker(replace(world, settings=settings))
    await played(talking, clock, SESSION[: CHANGE - 2])
    talking.worker = Worker(world)
    await played(talking, clock, SESSION[CHANGE - 2 : CHANGE - 1])
    assert asked(model, "compaction") == [], "nor does the first message whose subject is looked for"
    with world.database.write() as db:
        turns.add(db, user_said("My shoe size is forty-one.", world.now, session_id="old", channel="console"))
    assert forgetting.forget(world, "shoe size", forgetting.look(world, "shoe size").token)
    await played(talking, clock, SESSION[CHANGE - 1 : CHANGE])
    assert asked(model, "compaction") == [] and FIRST in in_view(model.questions[-1])
    before, after = (row for row, _, _ in seen(world))
    assert (before.kind, after.kind, after.boundary) == ("first", "none", False)
    assert before.topic_id == after.topic_id, "they still speak of the same"


class Even(random.Random):
    """Dice that always fall on what is to be expected."""

    def betavariate(self, alpha: float, beta: float) -> float:
        return alpha / (alpha + beta)

    def random(self) -> float:
        return 0.5


async def test_what_was_spoken_of_before_stands_back(talking: Human, clock: FrozenClock) -> None:
    world = replace(talking.world, rng=Even())
    talking.worker = Worker(world)
    with world.database.write() as db:
        for number in range(20):
            about = "in the garden beside the camellias with brown buds" if number % 4 == 0 else "under a blue roof"
            said = turns.add(db, user_said(f"{number}, {about}", world.now, session_id="old", channel="console"))
            memories.add(db, NewMemory("episodic", f"Their boat number {number} lies {about}.", (said,)), world.now)
    for text in ("The camellias in the garden have brown buds.", "The camellias beside the wall lost their buds."):
        clock.pass_(minutes=1)
        await talking.says(text)
    going_on = await garden_in_mind(world, talking, "the boat lies there again")
    turned = await garden_in_mind(world, talking, "by the way, the boat lies there again")
    assert (going_on, turned) == (2, 0)


async def garden_in_mind(world: World, human: Human, text: str) -> int:
    """How many memories of the garden the prompt would hold."""
    human.writes(text)
    envelope = claimed(world)
    context = build_context(world, await perceive(world, [envelope]))
    with world.database.write() as db:
        inbox.finish(db, [envelope.id], world.now)
    return context.now_text.partition("<remembered>")[2].count("camellias")
