"""The diagram of a group of feedback loops: measurements left, loops, effects right.

Each loop has one row, an end as many rows as loops. An arrow is straight below its label and bends
behind it.
"""

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

ROW = 44.0
BETWEEN = 10.0
"""Vertical gap between two boxes."""

EDGE = 8.0
"""Margin around the diagram."""

WIDTHS = (128.0, 236.0, 132.0)
LABELS = (168.0, 184.0)
"""Widths of the columns (measurements, loops, effects), and of the arrows' labels between them."""

BEND = 64.0
"""Width in which an arrow bends up or down."""

HEAD = 7.0
"""Length of an arrow's head."""

COLUMNS = (
    EDGE,
    EDGE + WIDTHS[0] + LABELS[0] + BEND,
    EDGE + WIDTHS[0] + LABELS[0] + BEND + WIDTHS[1] + LABELS[1] + BEND,
)
"""The x of each column's boxes."""

RETURN = 34.0
"""Height below, for the return arrow."""

WRAPPED = 15
"""Characters in a line of a narrow box."""


@dataclass(frozen=True)
class Box:
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x of its right side."""
        return self.x + self.width


@dataclass(frozen=True)
class Arrow:
    """An arrow with its label: `path` and `head` as SVG paths, and the label's position."""

    label: str
    path: str
    head: str
    label_x: float
    label_y: float


@dataclass(frozen=True)
class Drawn:
    """A loop's box with its two arrows."""

    name: str
    box: Box
    into: Arrow
    out: Arrow


@dataclass(frozen=True)
class End:
    """A box at the side with its label in lines; `rows` are those of its loops."""

    box: Box
    lines: list[str]
    rows: list[int]

    def port(self, row: int) -> float:
        """Return the y at which the arrow of a row starts or ends."""
        return round(self.box.y + self.box.height * (self.rows.index(row) + 0.5) / len(self.rows), 1)


@dataclass(frozen=True)
class Picture:
    """The whole diagram. `loops` are in reading order; `back` is the return arrow from effects to
    measurements, with its head and label position."""

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
    """Lay out loops, each given as name, source, target and the labels of its arrows."""
    loops = sorted(loops, key=lambda one: (list(sources).index(one[1]), list(targets).index(one[2])))
    left = _place_ends([one[1] for one in loops], sources, 0)
    right = _place_ends([one[2] for one in loops], targets, 2)
    drawn = []
    for row, (name, source, target, into, out) in enumerate(loops):
        box = Box(COLUMNS[1], EDGE + row * ROW, WIDTHS[1], ROW - BETWEEN)
        middle = box.y + box.height / 2
        arrows = (
            _arrow(into, 0, left[source].port(row), middle),
            _arrow(out, 1, middle, right[target].port(row)),
        )
        drawn.append(Drawn(name, box, *arrows))
    height = 2 * EDGE + len(loops) * ROW - BETWEEN
    ends, starts = tuple(left.values()), tuple(right.values())
    back = _back(height, ends[-1].box, starts[-1].box)
    return Picture(COLUMNS[2] + WIDTHS[2] + EDGE, height + RETURN, ends, tuple(drawn), starts, *back)


def _place_ends(of_each: Sequence[str], labels: Mapping[str, str], column: int) -> dict[str, End]:
    """Place the ends of a side, sorted by the mean row of their loops."""
    rows = {end: [row for row, one in enumerate(of_each) if one == end] for end in of_each}
    found, above = {}, 0
    for end in sorted(rows, key=lambda row: fmean(rows[row])):
        many = len(rows[end])
        box = Box(COLUMNS[column], EDGE + above * ROW, WIDTHS[column], many * ROW - BETWEEN)
        found[end] = End(box, textwrap.wrap(labels[end], WRAPPED, break_long_words=False), rows[end])
        above += many
    return found


def _arrow(words: str, column: int, start: float, end: float) -> Arrow:
    left, right = COLUMNS[column] + WIDTHS[column], COLUMNS[column + 1] - HEAD
    bend = left + LABELS[column]
    half = (bend + right) / 2
    path = f"M{left:g} {start:g}H{bend:g}C{half:g} {start:g} {half:g} {end:g} {right:g} {end:g}"
    head = f"M{right:g} {end - 4:g}L{right + HEAD:g} {end:g}L{right:g} {end + 4:g}Z"
    return Arrow(words, path, head, left + 8, start - 5)


def _back(height: float, end: Box, start: Box) -> tuple[str, str, tuple[float, float]]:
    """Draw the return arrow below everything, from the lowest right box to the lowest left one."""
    x1, x2, low = start.x + start.width / 2, end.x + end.width / 2, height + RETURN - 14
    y1, y2 = start.y + start.height, end.y + end.height
    down = f"M{x1:g} {y1:g}V{low - 8:g}Q{x1:g} {low:g} {x1 - 8:g} {low:g}"
    path = f"{down}H{x2 + 8:g}Q{x2:g} {low:g} {x2:g} {low - 8:g}V{y2 + 7:g}"
    head = f"M{x2 - 4:g} {y2 + 7:g}L{x2:g} {y2:g}L{x2 + 4:g} {y2 + 7:g}Z"
    return path, head, ((x1 + x2) / 2, low - 6)
