"""What somebody tells at length, without a model: no word in it is taken for a feeling or an order by itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.moves import Encoders
from furoshiki.core.catalogue import say
from furoshiki.language.reflex.care.noticing import notice
from furoshiki.language.requests.lines import read_lines
from furoshiki.world import World
from tests.support.introspection import by_reflex

RELIEF, PRAISE, ANGER = ("relief", "praise", "anger")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("told", "not_heard"),
    [
        (
            "a friend of mine is ill. nothing to be done, say the doctors. she wants to see the sea once more, so on "
            "friday four of us and a wheelchair go to whitby in a borrowed van",
            RELIEF,
        ),
        (
            "so. eleven years and it ends with a box of mugs in the hallway. no shouting even. he took the cat because "
            "the cat likes him better, which is true, which is the worst of it",
            RELIEF,
        ),
        (
            "Knee: swollen again. Physio says ice and no stairs, which is funny on the third floor. New tablets twice "
            "a day with food. Follow-up on the 14th at ten.",
            PRAISE,
        ),
        (
            "my niece started school. bag bigger than the child. she came home and announced that maths is fine but "
            "the chairs are a scandal, then slept until supper",
            ANGER,
        ),
    ],
)
async def test_a_feeling_that_only_a_word_has_gets_no_answer(world: World, told: str, not_heard: str) -> None:
    [said] = await by_reflex(replace(world, vectors=Encoders())).says(told)  # type: ignore[arg-type]
    assert not any(say(line, name="") in said for line in read_lines("heard_feeling")[not_heard])


async def test_a_clock_that_is_given_is_no_verdict_of_doctors(world: World) -> None:
    given = "A colleague retired on Friday. They gave her a clock, of all things."
    assert notice(given, world.care, 2026) is None
    heard = [notice(f"They've given her {time}.", world.care, 2026) for time in ("six months", "a year")]
    assert [one and one.kind for one in heard] == ["illness", "illness"]


async def test_a_list_that_is_told_of_is_no_list_of_theirs(world: World) -> None:
    told = "his mother called again. no hello, just the list: the heating, the neighbours, the priest."
    assert "on the just list" not in " ".join(await by_reflex(world).says(told))
