"""How near something said is to other texts, by meaning or by its words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import pytest

from furoshiki.memory.exit_gate import FOCUS, HEARD_BEFORE, _around
from furoshiki.memory.similarity import MEAN_IS_NEARER, ByMeaning, ByWords
from furoshiki.messages.store import turns
from furoshiki.messages.values import COMPANION, USER
from furoshiki.world import World
from tests.support.rows import companion_said, user_said

EAST, NORTH = (1.0, 0.0), (0.0, 1.0)


class Compass:
    """Texts that begin with E point east, all others north; `asked` are the requests."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.asked.append(list(texts))
        return [list(EAST if text.startswith("E") else NORTH) for text in texts]


def by_meaning(world: World, text: str, **made: Sequence[float]) -> tuple[ByMeaning, Compass]:
    compass = Compass()
    return ByMeaning(replace(world, vectors=cast(Any, compass)), text, dict(made)), compass


def test_several_texts_together_are_as_near_as_their_mean(world: World) -> None:
    likeness, _ = by_meaning(world, "E")
    assert likeness.to_all(["Eastern"]) == pytest.approx(1.0)
    assert likeness.to_all(["Eabc", "Nabc"]) == pytest.approx(math.sqrt(0.5) - MEAN_IS_NEARER)
    longer = likeness.to_all(["Eabcabcabc", "N"])
    assert longer == pytest.approx(10 / math.sqrt(101) - MEAN_IS_NEARER), "the longer one says more"


def test_nothing_is_embedded_twice(world: World) -> None:
    likeness, compass = by_meaning(world, "E", known=EAST)
    likeness.know(["known", "N", "East", "N"])
    assert compass.asked == [["E"], ["N", "East"]]
    assert likeness.to_each(["East", "N", "known"]) == [1.0, 0.0, 1.0]
    assert likeness.pair("N") == (list(NORTH), list(EAST))
    assert len(compass.asked) == 2


def test_vectors_of_another_encoder_are_replaced(world: World) -> None:
    likeness, compass = by_meaning(world, "E", East=(1.0, 0.0, 0.0))
    assert likeness.to_each(["East"]) == [1.0]
    assert compass.asked == [["E"], ["East"]]


def test_without_vectors_shared_words_count() -> None:
    likeness = ByWords("the red bicycle broke")
    bicycle, soup = likeness.to_each(["my bicycle broke", "soup again"])
    assert bicycle > 0.5 > soup == 0.0
    assert likeness.to_all(["my bicycle", "broke"]) == pytest.approx(bicycle)


def test_what_was_said_around_a_turn_is_the_last_of_its_session(world: World) -> None:
    with world.database.write() as db:
        said = []
        for number in range(FOCUS + HEARD_BEFORE):
            said.append(turns.add(db, user_said(f"message {number}", world.now)))
            turns.add(db, companion_said(f"answer {number}", world.now))
    with world.database.read() as db:
        everything = turns.of_session(db, turns.get(db, said[0]).session_id)  # type: ignore[union-attr]
        turn = turns.get(db, said[-2])
        assert turn is not None
        focus, before = _around(db, turn)
    others = [one.own for one in everything if one.speaker == USER and one.id != turn.id]
    earlier = [one.text for one in everything if one.speaker == COMPANION and one.id < turn.id]
    assert focus == others[-FOCUS:]
    assert before == earlier[-HEARD_BEFORE:]
