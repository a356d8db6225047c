"""The feedback loops that are described: their tests and files are there, and each can be asked how it stands."""

from __future__ import annotations

import pytest

from furoshiki.core.paths import ROOT
from furoshiki.faces.dashboard import loops
from furoshiki.faces.dashboard.loops import Loop
from furoshiki.world import World

LOOPS = loops.load_loops()
LONGEST = 28
"""Characters that an arrow of the diagram has room for."""


@pytest.mark.parametrize("loop", LOOPS.all, ids=[one.name for one in LOOPS.all])
def test_every_loop_has_the_test_in_which_a_person_would_notice(loop: Loop) -> None:
    assert loop.tests, "no test shows it"
    for test in loop.tests:
        file, _, function = test.partition("::")
        assert f"def {function}" in (ROOT / file).read_text(encoding="utf-8")
    assert all((ROOT / file).is_file() for file in loop.files) and loop.files
    assert loop.measured and loop.changes and loop.about and max(len(loop.into), len(loop.out)) <= LONGEST
    assert loop.source in LOOPS.sources and loop.target in LOOPS.targets and loop.group in LOOPS.groups


def test_every_loop_can_be_asked_how_it_stands(world: World) -> None:
    for one in LOOPS.all:
        assert loops.state(world, one).figures.keys() >= one.asked.figures.keys() or one.name in loops.FLEETING
    assert set(loops._COMPUTED) <= {one.name for one in LOOPS.all}
