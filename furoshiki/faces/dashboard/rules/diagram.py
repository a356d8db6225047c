"""Lays a diagram out in layers, from left to right: nodes in columns, edges in the gaps between them.

An edge leaves its node straight, under its label, and bends only behind that; one that passes a layer has a row of its
own there. So no edge runs through a node and none through a label of another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import fmean

BETWEEN = 10.0
"""Blank between the nodes of a layer."""

BEND = 64.0
"""Width in which an edge goes up or down."""

EDGE = 8.0
"""Blank around all of it."""

HEAD = 7.0
"""Length of the head of an arrow."""

SWEEPS = 6


@dataclass(frozen=True)
class Node:
    """A box in a layer (counted from the left). Its name is unique in the diagram."""

    name: str
    layer: int
    height: float


@dataclass(frozen=True)
class Edge:
    """An arrow from a node to one of a layer further right. `label` may be empty."""

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
    """Where an edge runs: `path` in the language of SVG, which ends before its head; `points` it goes through; the
    place where its label begins."""

    edge: Edge
    path: str
    head: str
    points: tuple[tuple[float, float], ...]
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
    """Nodes in columns of these `widths`, with room for the `labels` of edges in the gaps between them (one width
    fewer). ValueError for an edge that does not lead to the right."""
    layer = {one.name: one.layer for one in nodes}
    for edge in edges:
        if layer[edge.source] >= layer[edge.target]:
            raise ValueError(f"the edge from {edge.source} to {edge.target} does not lead to the right")
    held, parts = _with_passages(nodes, edges, layer)
    columns = _order_columns([[one for one in held if one.layer == place] for place in range(len(widths))], parts)
    tops = _places(columns, parts)
    left, at = [], EDGE
    for place, width in enumerate(widths):
        left.append(at)
        at += width + (labels[place] + BEND if place < len(labels) else 0.0)
    boxes = {
        one.name: Box(one.name, left[one.layer], tops[one.name], widths[one.layer], one.height)
        for column in columns
        for one in column
    }
    ports = _ports(boxes, parts)
    names = set(layer)
    arrows = tuple(_arrow(edge, chain, boxes, ports, labels, held) for edge, chain in _chains(edges, parts))
    bottom = max((one.y + one.height for one in boxes.values()), default=0.0)
    return Layout(at + EDGE, bottom + EDGE, {name: box for name, box in boxes.items() if name in names}, arrows)


@dataclass(frozen=True)
class _Part:
    """A piece of an edge, from one layer to the next."""

    edge: int
    source: str
    target: str


def _with_passages(
    nodes: Sequence[Node], edges: Sequence[Edge], layer: Mapping[str, int]
) -> tuple[list[Node], list[_Part]]:
    """The nodes, with a row where an edge passes a layer, and the pieces of the edges."""
    held, parts = list(nodes), []
    for number, edge in enumerate(edges):
        stops = [edge.source]
        for place in range(layer[edge.source] + 1, layer[edge.target]):
            held.append(Node(f"·{number}.{place}", place, 2.0))
            stops.append(held[-1].name)
        parts += [_Part(number, one, two) for one, two in pairwise([*stops, edge.target])]
    return held, parts


def _order_columns(columns: list[list[Node]], parts: Sequence[_Part]) -> list[list[Node]]:
    """Each column in the order in which its edges cross least: by the middle of its neighbours, to and fro. The order
    that was given stays among equals, and altogether where it is as good."""
    best, fewest = columns, _crossings(columns, parts)
    for sweep in range(SWEEPS):
        forth = sweep % 2 == 0
        places = range(1, len(columns)) if forth else range(len(columns) - 2, -1, -1)
        columns = list(columns)
        for place in places:
            beside = {one.name: at for at, one in enumerate(columns[place - 1 if forth else place + 1])}
            columns[place] = _by_middle(columns[place], beside, parts, forth)
        crossings = _crossings(columns, parts)
        if crossings < fewest:
            best, fewest = columns, crossings
    return best


def _by_middle(column: Sequence[Node], beside: Mapping[str, int], parts: Sequence[_Part], forth: bool) -> list[Node]:
    def middle(at: int, one: Node) -> float:
        near = [beside[part.source if forth else part.target] for part in parts if one.name == _end(part, forth)]
        return fmean(near) if near else float(at)

    keyed = {one.name: (middle(at, one), at) for at, one in enumerate(column)}
    return sorted(column, key=lambda one: keyed[one.name])


def _end(part: _Part, forth: bool) -> str:
    return part.target if forth else part.source


def _crossings(columns: Sequence[Sequence[Node]], parts: Sequence[_Part]) -> int:
    place = {one.name: (layer, at) for layer, column in enumerate(columns) for at, one in enumerate(column)}
    ends = [(*place[part.source], place[part.target][1]) for part in parts]
    return sum(
        one[0] == two[0] and (one[1] - two[1]) * (one[2] - two[2]) < 0
        for at, one in enumerate(ends)
        for two in ends[at + 1 :]
    )


def _places(columns: Sequence[Sequence[Node]], parts: Sequence[_Part]) -> dict[str, float]:
    """The upper side of every node: as near to the middle of its neighbours as the others of its column let it."""
    tops: dict[str, float] = {}
    height = {one.name: one.height for column in columns for one in column}
    tallest = max((_height(column) for column in columns), default=0.0)
    for column in columns:
        at = EDGE + (tallest - _height(column)) / 2
        for one in column:
            tops[one.name] = at
            at += one.height + BETWEEN
    for sweep in range(SWEEPS):
        for column in columns if sweep % 2 else reversed(columns):
            wanted = [_middle(one, tops, height, parts) - one.height / 2 for one in column]
            tops.update(_apart(column, wanted))
    lift = EDGE - min(tops.values(), default=EDGE)
    return {name: round(top + lift, 1) for name, top in tops.items()}


def _height(column: Sequence[Node]) -> float:
    return sum(one.height for one in column) + BETWEEN * max(0, len(column) - 1)


def _middle(one: Node, tops: Mapping[str, float], height: Mapping[str, float], parts: Iterable[_Part]) -> float:
    near = [
        tops[other] + height[other] / 2
        for part in parts
        for mine, other in ((part.source, part.target), (part.target, part.source))
        if mine == one.name
    ]
    return fmean(near) if near else tops[one.name] + one.height / 2


def _apart(column: Sequence[Node], wanted: Sequence[float]) -> dict[str, float]:
    """The places nearest to the wanted ones at which nodes keep their order and their distance: neighbours that would
    overlap are moved together to the middle of what they want (the pool of adjacent violators)."""
    offset, blocks = 0.0, list[list[float]]()
    shifts = []
    for one, want in zip(column, wanted, strict=True):
        blocks.append([want - offset, 1.0])
        shifts.append(offset)
        offset += one.height + BETWEEN
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            value, weight = blocks.pop()
            before, others = blocks[-1]
            blocks[-1] = [(before * others + value * weight) / (others + weight), others + weight]
    places = [value for value, weight in blocks for _ in range(int(weight))]
    return {one.name: place + shift for one, place, shift in zip(column, places, shifts, strict=True)}


def _ports(boxes: Mapping[str, Box], parts: Sequence[_Part]) -> dict[tuple[_Part, bool], float]:
    """Where each piece leaves its node and arrives: spread over the side, in the order of the other ends."""
    found: dict[tuple[_Part, bool], float] = {}
    for name, box in boxes.items():
        for leaving in (True, False):
            mine = [part for part in parts if (part.source if leaving else part.target) == name]
            mine.sort(key=lambda part: _centre(boxes[part.target if leaving else part.source]))
            for at, part in enumerate(mine):
                found[part, leaving] = round(box.y + box.height * (at + 0.5) / len(mine), 1)
    return found


def _centre(box: Box) -> float:
    return box.y + box.height / 2


def _chains(edges: Sequence[Edge], parts: Sequence[_Part]) -> list[tuple[Edge, list[_Part]]]:
    return [(edge, [part for part in parts if part.edge == number]) for number, edge in enumerate(edges)]


def _arrow(
    edge: Edge,
    chain: Sequence[_Part],
    boxes: Mapping[str, Box],
    ports: Mapping[tuple[_Part, bool], float],
    labels: Sequence[float],
    held: Sequence[Node],
) -> Arrow:
    layer = {one.name: one.layer for one in held}
    start = (boxes[chain[0].source].right, ports[chain[0], True])
    path, points = [f"M{_n(start[0])} {_n(start[1])}"], [start]
    for part in chain:
        from_y, to_y = ports[part, True], ports[part, False]
        bend = boxes[part.source].right + labels[layer[part.source]]
        end = boxes[part.target].x - (HEAD if part is chain[-1] else 0.0)
        half = (bend + end) / 2
        path.append(f"H{_n(bend)}")
        path.append(
            f"H{_n(end)}" if from_y == to_y else f"C{_n(half)} {_n(from_y)} {_n(half)} {_n(to_y)} {_n(end)} {_n(to_y)}"
        )
        points += [(bend, from_y), *_bent((bend, from_y), (end, to_y))]
        if part is not chain[-1]:
            path.append(f"H{_n(boxes[part.target].right)}")
            points.append((boxes[part.target].right, to_y))
    x, y = points[-1]
    head = f"M{_n(x)} {_n(y - 4)}L{_n(x + HEAD)} {_n(y)}L{_n(x)} {_n(y + 4)}Z"
    return Arrow(edge, "".join(path), head, tuple(points), start[0] + 8, start[1] - 5)


def _bent(start: tuple[float, float], end: tuple[float, float], steps: int = 8) -> list[tuple[float, float]]:
    """Points of the bend, as the curve goes through them."""
    half = (start[0] + end[0]) / 2
    found = []
    for step in range(1, steps + 1):
        t = step / steps
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3
        found.append((a * start[0] + (b + c) * half + d * end[0], (a + b) * start[1] + (c + d) * end[1]))
    return found


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def with_heights(nodes: Sequence[Node], edges: Sequence[Edge], row: float) -> list[Node]:
    """The nodes, each high enough for all edges on its busier side to have a row of their own."""
    count = {one.name: [0, 0] for one in nodes}
    for edge in edges:
        count[edge.source][0] += 1
        count[edge.target][1] += 1
    return [replace(one, height=max(one.height, max(count[one.name]) * row - BETWEEN)) for one in nodes]
