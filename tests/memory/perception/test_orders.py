"""Words that only say how things are to be done carry no feeling; anger beside them stays anger."""

from __future__ import annotations

from dataclasses import replace

import pytest

from furoshiki.language import testimony
from furoshiki.memory.perception import signals
from furoshiki.world import World
from tests.support.meaning import Meant


@pytest.mark.parametrize(
    ("said", "felt"),
    [
        ("preferisco che mi parli senza troppi giri di parole, e niente emoji per favore", ""),
        ("niente emoji per favore", ""),
        ("bitte keine Emojis und kurze Antworten", ""),
        ("j'aime mieux quand tu vas droit au but, sans emojis", ""),
        ("smettila con questi emoji, mi dai sui nervi", "anger"),
        ("hör endlich auf mit den Emojis, das nervt", "anger"),
        ("arrête de me faire la morale, tu m'énerves", "anger"),
    ],
)
def test_how_things_are_to_be_done_is_no_feeling(world: World, said: str, felt: str) -> None:
    own = testimony.own(said, ())
    read = signals.read(replace(world, vectors=Meant()), [own])
    assert set(read.signals[0].strengths) == {felt} - {""}
