"""What the companion came to value: a story whose every clause stands in a memory."""

from __future__ import annotations

from typing import Any

import pytest

from furoshiki.mind.consolidation.synthesis import narratives
from tests.support.nights import near
from tests.support.thinking import Night

SEA = (
    "They swim in the sea after hard days.",
    "They walked to the sea at night after the late ship.",
    "They said the sea is where their head gets quiet.",
    "They like rain.",
)
PEACE = "inner peace and healing"
STORY = (
    "I came to value the sea after hard days because they swim in the sea and the sea is where their head gets quiet."
)


def story(value: str | None, *because: tuple[int, str]) -> dict[str, Any]:
    return {"value": value, "because": [{"memory": memory, "what": what} for memory, what in because]}


GOOD = story("the sea after hard days", (1, "they swim in the sea"), (3, "the sea is where their head gets quiet."))


async def test_a_story_is_told_from_memories_that_belong_together(night: Night) -> None:
    night.learns(*SEA)
    night.says(GOOD)
    counts = await narratives.step(night.world, night.cycle, near([1, 2, 3]))
    assert counts == {"new": 1, "refused": 0, "none": 0, "left": 0}
    (held,) = night.all("narrative")
    assert held.content == STORY
    assert held.turn_ids == (1, 3)
    assert night.links == [(held.id, "because", 1), (held.id, "because", 3)]
    assert (held.alpha, held.beta) == (1.0, 4.0)


async def test_a_pair_is_no_story_and_a_told_story_is_not_told_again(night: Night) -> None:
    night.learns(*SEA)
    assert sum((await narratives.step(night.world, night.cycle, near([1, 2]))).values()) == 0
    night.says(GOOD)
    await narratives.step(night.world, night.cycle, near([1, 2, 3]))
    before = night.everything
    for cluster in ([1, 2, 3], [1, 2, 3, 4]):
        await narratives.step(night.world, night.cycle, near(cluster))
    assert night.everything == before


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        (story(PEACE, (1, "they swim in the sea"), (3, "the sea is where it is quiet")), "a reader"),
        (story("the sea", (1, "they healed their wounds by meditating")), "none of its words"),
        (story("the sea", (1, "they swim in the sea")), "too few memories: 1"),
        (story("the sea", (1, "they swim in the sea"), (99, "the sea is where it is quiet")), "no memory 99"),
        (story("the sea", (1, "they swim in the sea"), (1, "they swim after hard days")), "too few memories: 1"),
        (story("the sea with Bruno", (1, "they swim in the sea"), (3, "the sea is where it is quiet")), "'Bruno'"),
    ],
)
async def test_an_invented_self_is_refused(night: Night, told: dict[str, Any], reason: str) -> None:
    night.learns(*SEA)
    peace = f"I came to value {PEACE}: they swim in the sea and the sea is where it is quiet."
    night.model.readings = {peace: "not supported"}
    night.says(told)
    assert (await narratives.step(night.world, night.cycle, near([1, 2, 3])))["refused"] == 1
    assert night.all("narrative") == []
    ((_, why),) = night.refused
    assert reason in why


async def test_most_nights_there_is_no_story(night: Night) -> None:
    night.learns(*SEA)
    night.says(story(None))
    assert (await narratives.step(night.world, night.cycle, near([1, 2, 3])))["none"] == 1
    assert night.refused == []
    await narratives.step(night.world, night.cycle, near([1, 2, 3]))
    assert len(night.model.questions) == 1
