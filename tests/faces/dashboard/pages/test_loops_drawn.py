"""The diagram of loops: nothing overlaps, no arrow runs through a box, and what is drawn is all there is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

import pytest

from furoshiki.faces.dashboard import loops
from furoshiki.faces.dashboard.pages import architecture
from furoshiki.faces.dashboard.pages.architecture import Arrow, Box, Picture

_CURVE = re.compile(r"M(\S+) (\S+)H([\d.]+)C\S+ \S+ \S+ \S+ (\S+) (\S+)")


def inside(box: Box, x: float, y: float) -> bool:
    return box.x < x < box.right and box.y < y < box.y + box.height


def points(arrow: Arrow) -> Iterator[tuple[float, float]]:
    """Where an arrow goes through, from its box to its head."""
    found = _CURVE.fullmatch(arrow.path)
    assert found is not None, arrow.path
    left, start, bend, right, end = map(float, found.groups())
    yield left, start
    half = (bend + right) / 2
    for step in range(21):
        t = step / 20
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3
        yield a * bend + (b + c) * half + d * right, (a + b) * start + (c + d) * end


def sound(boxes: list[Box], arrows: list[Arrow], width: float, height: float) -> None:
    for one, two in combinations(boxes, 2):
        apart = one.right <= two.x or two.right <= one.x or one.y + one.height <= two.y or two.y + two.height <= one.y
        assert apart, (one, two)
    for arrow in arrows:
        for x, y in points(arrow):
            assert not any(inside(box, x, y) for box in boxes), arrow
            assert 0 <= x <= width and 0 <= y <= height


@pytest.mark.parametrize("group", loops.load_loops().groups)
def test_every_loop_is_drawn_between_its_ends_with_words_on_its_arrows(group: str) -> None:
    every = loops.load_loops()
    picture = drawn(group)
    ends = {" ".join(one.lines): one.box for one in picture.sources}
    arrows = [arrow for one in picture.loops for arrow in (one.into, one.out)]
    boxes = [one.box for one in (*picture.sources, *picture.loops, *picture.targets)]
    sound(boxes, arrows, picture.width, picture.height)
    assert {one.name for one in picture.loops} == {one.name for one in every.of(group)}
    tops = [one.box.y for one in picture.loops]
    assert tops == sorted(tops), "keys go from top to bottom"
    for one in picture.loops:
        loop = every.get(one.name)
        assert loop is not None and (one.into.label, one.out.label) == (loop.into, loop.out)
        (left, start), *_, (right, end) = points(one.into)
        source = ends[every.sources[loop.source]]
        assert left == source.right and source.y < start < source.y + source.height
        assert right < one.box.x and one.box.y < end < one.box.y + one.box.height
    assert picture.width <= 1000, "it is shown at its own size on a screen of 1280"


def test_the_label_of_an_end_is_broken_between_words() -> None:
    lines = [one.lines for group in loops.load_loops().groups for one in drawn(group).targets]
    assert ["When it writes", "first"] in lines


def drawn(group: str) -> Picture:
    every = loops.load_loops()
    rows = [(one.name, one.source, one.target, one.into, one.out) for one in every.of(group)]
    return architecture.draw_loops(rows, every.sources, every.targets)
