"""The layout of a memory's graph: boxes that never overlap, at any width.

A wide picture has the memory in the middle, linked memories left, its concepts right, and other
memories of these at the far right. A narrow one has the same in rows of two, on both sides of a
line down the middle. Words are cut to fit their box.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from furoshiki.core.pictures.rules.text_width import width as words_width

Kind = Literal["centre", "memory", "concept"]

SIZE = 12.0
"""Font size in units of the picture; that of the note above is `NOTE`."""

NOTE = 10.0
LINE = 15.0
PADDING = 7.0
GAP = 10.0
"""Vertical gap between two boxes."""

MANY = 7
"""Boxes in a column above which each has two lines."""

NARROW = 560.0
"""Width below which the boxes are in rows of two."""


@dataclass(frozen=True)
class Node:
    """Something to draw. `note` is its relation to the centre; `via` is the key of the connecting
    concept, "" for a direct relation."""

    key: str
    kind: Kind
    words: str
    note: str
    href: str
    via: str = ""


@dataclass(frozen=True)
class Box:
    """A placed node: corner, size, and its lines of words, each with its y."""

    node: Node
    x: float
    y: float
    width: float
    height: float
    lines: tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class Edge:
    """A line between two nodes, as the `d` of an SVG path; `weak` if it goes through a concept."""

    path: str
    weak: bool = False


@dataclass(frozen=True)
class Graph:
    """The finished picture: size, boxes with the centre first, edges."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    edges: tuple[Edge, ...]


def laid_out(centre: Node, others: Sequence[Node], width: float) -> Graph:
    """Lay out a memory and its neighbours in this width."""
    return _rows(centre, others, width) if width < NARROW else _columns(centre, others, width)


def wrap_words(words: str, width: float, most: int) -> tuple[str, ...]:
    """Wrap words into `most` lines of `width` units at most; cut words end with "…"."""
    lines: list[str] = []
    left = " ".join(words.split())
    while left and len(lines) < most:
        cut = _count_fitting(left, width)
        if cut < len(left):
            blank = left.rfind(" ", 0, cut + 1)
            cut = blank if blank > 0 else cut
        lines.append(left[:cut].rstrip())
        left = left[cut:].lstrip()
    if left and lines:
        last = lines[-1]
        while last and words_width(f"{last}…", SIZE) > width:
            last = last[:-1]
        lines[-1] = f"{last.rstrip()}…"
    return tuple(lines) or ("",)


def _count_fitting(words: str, width: float) -> int:
    """Return how many first characters fit, at least one."""
    used = 0.0
    for number, one in enumerate(words):
        used += words_width(one, SIZE)
        if used > width:
            return max(1, number)
    return len(words)


def _box(node: Node, x: float, y: float, width: float, most: int) -> Box:
    words = wrap_words(node.words, width - 2 * PADDING, most)
    noted = NOTE + 4 if node.note else 0.0
    first = y + PADDING + noted + SIZE - 1
    lines = tuple((first + LINE * number, line) for number, line in enumerate(words))
    return Box(node, x, y, width, 2 * PADDING + LINE * len(lines) - 2 + noted, lines)


def _stack_boxes(nodes: Iterable[Node], x: float, width: float, most: int) -> tuple[list[Box], float]:
    """Stack boxes from the top; return them and their total height."""
    boxes, y = [], 0.0
    for node in nodes:
        boxes.append(_box(node, x, y, width, most))
        y += boxes[-1].height + GAP
    return boxes, max(0.0, y - GAP)


def _shift_box(box: Box, by: float) -> Box:
    return replace(box, y=box.y + by, lines=tuple((y + by, line) for y, line in box.lines))


def _columns(centre: Node, others: Sequence[Node], width: float) -> Graph:
    linked = [node for node in others if node.kind == "memory" and not node.via]
    concepts = [node for node in others if node.kind == "concept"]
    beside = [node for node in others if node.via]
    # sort the far column by its concepts, so that few lines cross
    order = {one.key: number for number, one in enumerate(concepts)}
    beside.sort(key=lambda node: order.get(node.via, len(order)))
    lines = 3 if max(len(linked), len(beside)) <= MANY else 2
    columns = [(linked, 0.27, lines), ([centre], 0.25, 6), (concepts, 0.15, 2), (beside, 0.27, lines)]
    used = [column for column in columns if column[0]]
    between = 0.05 * width if len(used) < 4 else 0.02 * width
    scale = (width - between * (len(used) - 1)) / sum(share for _, share, _ in used)
    scale = min(scale, width * 1.35)
    start = (width - scale * sum(share for _, share, _ in used) - between * (len(used) - 1)) / 2
    stacks, x = [], start
    for nodes, share, most in used:
        stacks.append(_stack_boxes(nodes, round(x, 1), round(share * scale, 1), most))
        x += share * scale + between
    height = max(high for _, high in stacks)
    placed = [_shift_box(box, (height - high) / 2) for boxes, high in stacks for box in boxes]
    return _join_boxes(width, height, placed, _curve)


def _rows(centre: Node, others: Sequence[Node], width: float) -> Graph:
    linked = [node for node in others if node.kind == "memory" and not node.via]
    gutter = 24.0
    half = round((width - gutter) / 2, 1)
    placed: list[Box] = []
    y = 0.0

    def two_by_two(nodes: Sequence[Node], most: int) -> None:
        nonlocal y
        for number in range(0, len(nodes), 2):
            row = [
                _box(one, (half + gutter) * side, y, half, most) for side, one in enumerate(nodes[number : number + 2])
            ]
            placed.extend(row)
            y += max(box.height for box in row) + GAP

    two_by_two(linked, 4)
    y += GAP if linked else 0
    middle = _box(centre, round(width * 0.1, 1), y, round(width * 0.8, 1), 6)
    placed.append(middle)
    y += middle.height + 2 * GAP
    two_by_two([node for node in others if node.kind == "concept"], 2)
    two_by_two([node for node in others if node.via], 4)
    return _join_boxes(width, y - GAP, placed, _elbow)


def _join_boxes(width: float, height: float, placed: Sequence[Box], line: Callable[[Box, Box, float], str]) -> Graph:
    boxes = {box.node.key: box for box in placed}
    middle = next(box for box in placed if box.node.kind == "centre")
    edges = [
        Edge(line(boxes.get(box.node.via, middle), box, width), bool(box.node.via))
        for box in placed
        if box is not middle
    ]
    first = [middle, *(box for box in placed if box is not middle)]
    return Graph(width, round(height, 1), tuple(first), tuple(edges))


def _curve(one: Box, other: Box, _width: float) -> str:
    left, right = sorted((one, other), key=lambda box: box.x)
    x, y = left.x + left.width, left.y + left.height / 2
    to_x, to_y = right.x, right.y + right.height / 2
    bend = (to_x - x) / 2
    return f"M{x:g} {y:g}C{x + bend:g} {y:g} {to_x - bend:g} {to_y:g} {to_x:g} {to_y:g}"


def _elbow(box: Box, other: Box, width: float) -> str:
    """Return a path along the middle line, then to the side of the box."""
    down = width / 2
    side = other.x + other.width if other.x + other.width < down else other.x
    start = box.y + box.height if other.y > box.y else box.y
    return f"M{down:g} {start:g}V{other.y + other.height / 2:g}H{side:g}"
