"""The diagram of a group of feedback loops: what is measured on the left, the loops, what they change on the right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from furoshiki.faces.dashboard.rules.diagram import Arrow, Box, Edge, Layout, Node, lay_out, with_heights

ROW = 44.0
NODE = 34.0
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
    lines: tuple[str, ...]


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
    near, far = [one for one in sources if any(loop[1] == one for loop in loops)], list(targets)
    far = [one for one in far if any(loop[2] == one for loop in loops)]
    loops = sorted(loops, key=lambda one: (near.index(one[1]), far.index(one[2])))
    nodes = [
        *(Node(f"from {one}", 0, NODE) for one in near),
        *(Node(loop[0], 1, NODE) for loop in loops),
        *(Node(f"to {one}", 2, NODE) for one in far),
    ]
    edges = [edge for loop in loops for edge in _edges(loop)]
    layout = lay_out(with_heights(nodes, edges, ROW), edges, widths=WIDTHS, labels=LABELS)
    arrows = {(one.edge.source, one.edge.target): one for one in layout.arrows}
    found = [
        Drawn(name, layout.boxes[name], arrows[f"from {source}", name], arrows[name, f"to {target}"])
        for name, source, target, _, _ in loops
    ]
    found.sort(key=lambda one: one.box.y)
    left = [End(layout.boxes[f"from {one}"], wrap_label(sources[one])) for one in near]
    right = [End(layout.boxes[f"to {one}"], wrap_label(targets[one])) for one in far]
    return Picture(
        layout.width, layout.height + RETURN, tuple(left), tuple(found), tuple(right), *_back(layout, left, right)
    )


def _edges(loop: tuple[str, str, str, str, str]) -> tuple[Edge, Edge]:
    name, source, target, into, out = loop
    return Edge(f"from {source}", name, into), Edge(name, f"to {target}", out)


def _back(layout: Layout, left: Sequence[End], right: Sequence[End]) -> tuple[str, str, tuple[float, float]]:
    """From the lowest box on the right, below everything, to the lowest on the left."""
    start, end = (max((one.box for one in side), key=lambda box: box.y) for side in (right, left))
    x1, x2, low = start.x + start.width / 2, end.x + end.width / 2, layout.height + RETURN - 14
    y1, y2 = start.y + start.height, end.y + end.height
    down = f"M{x1:g} {y1:g}V{low - 8:g}Q{x1:g} {low:g} {x1 - 8:g} {low:g}"
    path = f"{down}H{x2 + 8:g}Q{x2:g} {low:g} {x2:g} {low - 8:g}V{y2 + 7:g}"
    head = f"M{x2 - 4:g} {y2 + 7:g}L{x2:g} {y2:g}L{x2 + 4:g} {y2 + 7:g}Z"
    return path, head, ((x1 + x2) / 2, low - 6)


def wrap_label(label: str, most: int = WRAPPED) -> tuple[str, ...]:
    """A label in lines of at most so many characters, broken between words."""
    lines: list[str] = []
    for word in label.split():
        if lines and len(lines[-1]) + 1 + len(word) <= most:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return tuple(lines)
