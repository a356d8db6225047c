"""Diagrams in layers: nothing overlaps, no edge runs through a node, and what is drawn is all there is."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.faces.dashboard import loops, processes
from furoshiki.faces.dashboard.rules import diagram, loops_drawn
from furoshiki.faces.dashboard.rules.diagram import Box, Edge, Layout, Node
from furoshiki.faces.dashboard.rules.loops_drawn import Picture


def inside(box: Box, x: float, y: float) -> bool:
    return box.x < x < box.right and box.y < y < box.y + box.height


def sound(layout: Layout) -> None:
    for one, two in combinations(layout.boxes.values(), 2):
        apart = one.right <= two.x or two.right <= one.x or one.y + one.height <= two.y or two.y + two.height <= one.y
        assert apart, (one, two)
    for arrow in layout.arrows:
        for x, y in arrow.points:
            assert not any(inside(box, x, y) for box in layout.boxes.values()), arrow
            assert 0 <= x <= layout.width and 0 <= y <= layout.height


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[Node], list[Edge]]:
    sizes = draw(st.lists(st.integers(1, 5), min_size=2, max_size=4))
    nodes = [
        Node(f"{layer}.{at}", layer, draw(st.sampled_from([20.0, 34.0, 60.0])))
        for layer, size in enumerate(sizes)
        for at in range(size)
    ]
    pairs = [(one, two) for one, two in combinations(nodes, 2) if one.layer < two.layer]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=12))
    return nodes, [Edge(one.name, two.name, "so") for one, two in chosen]


@given(graphs())
def test_no_edge_runs_through_a_node_and_no_node_through_another(graph: tuple[list[Node], list[Edge]]) -> None:
    nodes, edges = graph
    layers = 1 + max(one.layer for one in nodes)
    layout = diagram.lay_out(nodes, edges, widths=[100.0] * layers, labels=[80.0] * (layers - 1))
    sound(layout)
    assert set(layout.boxes) == {one.name for one in nodes} and [one.edge for one in layout.arrows] == edges


def test_edges_that_need_not_cross_do_not() -> None:
    nodes = [Node(name, layer, 20.0) for layer, names in enumerate(("abc", "xyz")) for name in names]
    layout = diagram.lay_out(
        nodes, [Edge("a", "z"), Edge("b", "y"), Edge("c", "x")], widths=[50.0, 50.0], labels=[40.0]
    )
    assert [layout.boxes[name].y for name in "zyx"] == sorted(layout.boxes[name].y for name in "zyx")


def test_an_edge_leads_to_the_right() -> None:
    nodes = [Node("a", 0, 20.0), Node("b", 1, 20.0)]
    with pytest.raises(ValueError, match="from b to a"):
        diagram.lay_out(nodes, [Edge("b", "a")], widths=[50.0, 50.0], labels=[40.0])


@pytest.mark.parametrize("group", loops.load_loops().groups)
def test_every_loop_is_drawn_between_its_ends_with_words_on_its_arrows(group: str) -> None:
    every = loops.load_loops()
    picture = drawn(group)
    assert {one.name for one in picture.loops} == {one.name for one in every.of(group)}
    tops = [one.box.y for one in picture.loops]
    assert tops == sorted(tops), "keys go from top to bottom"
    for one in picture.loops:
        loop = every.get(one.name)
        assert loop is not None and (one.into.edge.label, one.out.edge.label) == (loop.into, loop.out)
        assert one.into.points[-1][0] < one.box.x and one.out.points[0][0] == one.box.right
    assert picture.width <= 1000, "it is shown at its own size on a screen of 1280"


def test_the_diagram_of_the_processes_is_sound() -> None:
    layout = processes.draw_diagram()
    sound(layout)
    assert set(layout.boxes) == {one.name for one in processes.PROCESSES} and layout.width <= 1000
    assert all(arrow.edge.label for arrow in layout.arrows)


def test_a_label_is_broken_between_words() -> None:
    assert loops_drawn.wrap_label("When it writes first") == ("When it writes", "first")
    assert loops_drawn.wrap_label("Architecture-of-everything") == ("Architecture-of-everything",)


def drawn(group: str) -> Picture:
    every = loops.load_loops()
    rows = [(one.name, one.source, one.target, one.into, one.out) for one in every.of(group)]
    return loops_drawn.draw_loops(rows, every.sources, every.targets)
