"""The diagram of a group of feedback loops: what is measured on the left, the loops, what they change on the right."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from furoshiki.faces.dashboard.rules.diagram import BETWEEN, Arrow, Box, Edge, Layout, Node, lay_out

ROW = 44.0
WIDTHS = (128.0, 236.0, 132.0)
LABELS = (168.0, 184.0)
"""Width of what is measured, of the loops, of what they change; and of the words on the arrows between them."""

RETURN = 34.0
"""Height below, for the way back."""

WRAPPED = 15
"""Characters in a line of a narrow box."""


@dataclass(frozen=True)
class Drawn:
    """A loop's box with its two arrows."""

    name: str
    box: Box
    into: Arrow
    out: Arrow


@dataclass(frozen=True)
class End:
    """A box at the side, its label in lines."""

    box: Box
    lines: list[str]


@dataclass(frozen=True)
class Picture:
    """The whole of it. `loops` are in the order of reading, from top to bottom; `back` is the way from what changed to
    what is measured next, with its head and where its label stands."""

    width: float
    height: float
    sources: tuple[End, ...]
    loops: tuple[Drawn, ...]
    targets: tuple[End, ...]
    back: str
    back_head: str
    back_label: tuple[float, float]


def draw_loops(
    loops: Sequence[tuple[str, str, str, str, str]], sources: Mapping[str, str], targets: Mapping[str, str]
) -> Picture:
    """A picture of loops, each as its name, the ends it connects, and the words on its arrows; the ends have labels."""
    loops = sorted(loops, key=lambda one: (list(sources).index(one[1]), list(targets).index(one[2])))
    layout = lay_out(
        [
            *_ends("from", [one[1] for one in loops], 0),
            *(Node(one[0], 1, at * ROW, ROW - BETWEEN) for at, one in enumerate(loops)),
            *_ends("to", [one[2] for one in loops], 2),
        ],
        [edge for loop in loops for edge in _edges(loop)],
        widths=WIDTHS,
        labels=LABELS,
    )
    into, out = layout.arrows[::2], layout.arrows[1::2]
    left, right = _labelled("from ", sources, layout), _labelled("to ", targets, layout)
    return Picture(
        layout.width,
        layout.height + RETURN,
        left,
        tuple(Drawn(one[0], layout.boxes[one[0]], *arrows) for one, *arrows in zip(loops, into, out, strict=True)),
        right,
        *_back(layout, left[-1].box, right[-1].box),
    )


def _ends(side: str, of_each: Sequence[str], layer: int) -> list[Node]:
    """A box for each end, with a row for each of its loops: it stands as near to them as those above it let it."""
    rows = {end: [at for at, one in enumerate(of_each) if one == end] for end in of_each}
    nodes, top = [], 0.0
    for end in sorted(rows, key=lambda one: fmean(rows[one])):
        nodes.append(Node(f"{side} {end}", layer, top, len(rows[end]) * ROW - BETWEEN))
        top += len(rows[end]) * ROW
    return nodes


def _edges(loop: tuple[str, str, str, str, str]) -> tuple[Edge, Edge]:
    name, source, target, into, out = loop
    return Edge(f"from {source}", name, into), Edge(name, f"to {target}", out)


def _labelled(side: str, labels: Mapping[str, str], layout: Layout) -> tuple[End, ...]:
    """The ends of a side, from top to bottom."""
    boxes = [box for name, box in layout.boxes.items() if name.startswith(side)]
    return tuple(
        End(box, textwrap.wrap(labels[box.name.removeprefix(side)], WRAPPED, break_long_words=False)) for box in boxes
    )


def _back(layout: Layout, end: Box, start: Box) -> tuple[str, str, tuple[float, float]]:
    """From the lowest box on the right, below everything, to the lowest on the left."""
    x1, x2, low = start.x + start.width / 2, end.x + end.width / 2, layout.height + RETURN - 14
    y1, y2 = start.y + start.height, end.y + end.height
    down = f"M{x1:g} {y1:g}V{low - 8:g}Q{x1:g} {low:g} {x1 - 8:g} {low:g}"
    path = f"{down}H{x2 + 8:g}Q{x2:g} {low:g} {x2:g} {low - 8:g}V{y2 + 7:g}"
    head = f"M{x2 - 4:g} {y2 + 7:g}L{x2:g} {y2:g}L{x2 + 4:g} {y2 + 7:g}Z"
    return path, head, ((x1 + x2) / 2, low - 6)
