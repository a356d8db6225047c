"""Draws boxes in columns, from left to right, and arrows between them, each with its words behind the box it leaves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

BETWEEN = 10.0
"""Blank between the boxes of a column."""

BEND = 64.0
"""Width in which an arrow goes up or down."""

EDGE = 8.0
"""Blank around all of it."""

HEAD = 7.0
"""Length of the head of an arrow."""


@dataclass(frozen=True)
class Node:
    """A box in a column (counted from the left), so far from the top. Its name is unique in the diagram."""

    name: str
    layer: int
    top: float
    height: float


@dataclass(frozen=True)
class Edge:
    """An arrow from a node to one in a column further right. `label` may be empty."""

    source: str
    target: str
    label: str = ""


@dataclass(frozen=True)
class Box:
    """Where a node stands."""

    name: str
    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Its right side."""
        return self.x + self.width


@dataclass(frozen=True)
class Arrow:
    """How an edge is drawn: `path` and `head` in the language of SVG, and the place where its label begins."""

    edge: Edge
    path: str
    head: str
    label_x: float
    label_y: float


@dataclass(frozen=True)
class Layout:
    """The whole diagram."""

    width: float
    height: float
    boxes: Mapping[str, Box]
    arrows: tuple[Arrow, ...]


def lay_out(
    nodes: Sequence[Node], edges: Sequence[Edge], *, widths: Sequence[float], labels: Sequence[float]
) -> Layout:
    """Columns of these `widths`, with room for the `labels` of arrows between them (one width fewer)."""
    left = [EDGE]
    for width, label in zip(widths, labels, strict=False):
        left.append(left[-1] + width + label + BEND)
    boxes = {one.name: Box(one.name, left[one.layer], EDGE + one.top, widths[one.layer], one.height) for one in nodes}
    words = {one.name: labels[one.layer] for one in nodes if one.layer < len(labels)}
    arrows = tuple(
        _arrow(edge, boxes, words[edge.source], _port(edge, edges, boxes, True), _port(edge, edges, boxes, False))
        for edge in edges
    )
    bottom = max(one.y + one.height for one in boxes.values())
    return Layout(left[-1] + widths[-1] + EDGE, bottom + EDGE, boxes, arrows)


def _port(edge: Edge, edges: Sequence[Edge], boxes: Mapping[str, Box], leaving: bool) -> float:
    """The height at which it leaves its box, or arrives: all of a side are spread, in the order of their other ends."""

    def other(one: Edge) -> float:
        box = boxes[one.target if leaving else one.source]
        return box.y + box.height / 2

    box = boxes[edge.source if leaving else edge.target]
    beside = sorted((one for one in edges if box.name == (one.source if leaving else one.target)), key=other)
    return round(box.y + box.height * (beside.index(edge) + 0.5) / len(beside), 1)


def _arrow(edge: Edge, boxes: Mapping[str, Box], words: float, start: float, end: float) -> Arrow:
    """Straight under its words, then a bend into its head."""
    left, right = boxes[edge.source].right, boxes[edge.target].x - HEAD
    bend, half = left + words, (left + words + right) / 2
    curve = f"H{right:g}" if start == end else f"C{half:g} {start:g} {half:g} {end:g} {right:g} {end:g}"
    head = f"M{right:g} {end - 4:g}L{right + HEAD:g} {end:g}L{right:g} {end + 4:g}Z"
    return Arrow(edge, f"M{left:g} {start:g}H{bend:g}{curve}", head, left + 8, start - 5)
