"""How they like things done is known by what they say, in their words, and stands before the mind from then on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from furoshiki.memory import weighing
from furoshiki.memory.values import Memory
from furoshiki.mind.post_conversation.reading_form import ReadFact
from furoshiki.mind.post_conversation.results import keep_fact
from furoshiki.mind.post_conversation.session import Session
from furoshiki.owner.user_model.store import ways
from furoshiki.world import World
from tests.support.forgetting import forget
from tests.support.meaning import Meant
from tests.support.reflexes import reflexive
from tests.support.world import FrozenClock, Human, Script

BULLETS = "please always give me recipes as bullet points"


def held(world: World) -> list[Memory]:
    with world.database.read() as db:
        return ways.list_current(db)


@pytest.mark.parametrize(
    "said",
    [BULLETS, "when I have bad news, just listen first", "gib mir Rezepte bitte immer als Stichpunkte"],
)
async def test_a_way_is_kept_in_their_words_and_shown_in_later_sessions(
    world: World, human: Human, model: Script, clock: FrozenClock, said: str
) -> None:
    human.worker.world = replace(world, vectors=Meant())
    reflexive(model)
    await human.says(said)
    assert [(one.type, one.content) for one in held(world)] == [("procedural", said)]
    clock.pass_(days=2)
    model.lines = ["Lentils first."]
    await human.says("a recipe for lentil soup?")
    block = "\n".join(one.text for one in model.questions[-1].system)
    assert "How they like you to do things" in block and said in block
    forget(world, "turn:1")
    assert held(world) == []


@pytest.mark.parametrize(
    ("said", "more"),
    [
        ("my boss wants bullet points on the slides", {}),
        ("a recipe for lentil soup?", {}),
        (BULLETS, {"forwarded": {"from": "Eve"}}),
    ],
)
async def test_what_others_want_is_no_way_of_theirs(
    world: World, human: Human, said: str, more: dict[str, dict[str, str]]
) -> None:
    human.worker.world = replace(world, vectors=Meant())
    await human.says(said, **more)
    assert held(world) == []


async def test_what_sounds_like_one_is_left_to_the_mind_that_answers(world: World, human: Human) -> None:
    """Of what the head hears so hardly one is a wish ("I'm Ines by the way"), and all of it would always be shown."""
    human.worker.world = replace(world, vectors=Meant())
    await human.says(BULLETS)
    assert held(world) == []


async def test_a_reader_keeps_one_that_is_not_known_yet(world: World, human: Human, model: Script) -> None:
    await human.says("After bad news I need to be listened to, advice can wait.")
    way = ReadFact(
        text="After bad news they want to be listened to first.",
        subject="user",
        predicate="wants_it_so",
        object="to be listened to first",
        category="manner",
        messages=[1],
    )
    session = Session("told", (), world.zone, None, "Furo")
    cycle = weighing.cycle(world, "told")
    for _ in range(2):
        with world.database.write() as db:
            keep_fact(db, way, [1], 0.9, cycle, session)
    assert [(one.type, one.content) for one in held(world)] == [("procedural", way.text)]
