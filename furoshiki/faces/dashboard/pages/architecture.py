"""The page Architecture: the feedback loops with their states, and a simulator of feelings."""

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean
from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from furoshiki.core import numbers
from furoshiki.core.catalogue import later
from furoshiki.core.pictures import charts
from furoshiki.core.pictures.charts import Chart
from furoshiki.faces.dashboard import loops, rendering
from furoshiki.faces.dashboard.access.current import CurrentWorld, viewer
from furoshiki.faces.dashboard.loops import FLEETING, Loop
from furoshiki.faces.overview.errors import NotThere
from furoshiki.faces.overview.rules import feeling_words, simulating
from furoshiki.faces.overview.rules.simulating import PRESETS, STEP, Simulated
from furoshiki.feelings import heartbeat
from furoshiki.feelings.rules.emotions import NAMES, Emotions
from furoshiki.mind.inner_life.rules import feelings_drawn
from furoshiki.world import World

# -- the diagram: measurements left, loops, effects right --
#
# Each loop has one row, an end as many rows as loops. An arrow is straight below its label and bends
# behind it.


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


PAGE = ("Architecture", "How it works: the loops, and a simulator of feelings", "System", 120)

router = APIRouter(include_in_schema=False, dependencies=[Depends(viewer)])


BEGINNING = ""
"""The group of loops at the top of the page; the others are folded."""


@cache
def _pictures() -> dict[str, Picture]:
    """Return the diagrams of each group and of the first loops; they are constant, so cached."""
    every = loops.load_loops()
    return {
        group: draw_loops(
            [(loop.name, loop.source, loop.target, loop.into, loop.out) for loop in every.of(group)],
            every.sources,
            every.targets,
        )
        for group in (BEGINNING, *every.groups)
    }


def _describe_loops(world: World) -> dict[str, Any]:
    """Return every loop with its last effect, and a diagram of each group."""
    every, pictures = loops.load_loops(), _pictures()
    titles = {BEGINNING: later("The four you notice first"), **every.groups}
    groups = [(name, title, every.of(name), pictures[name]) for name, title in titles.items()]
    return {"loop_groups": groups, "every": every, "last": loops.last_effects(world), "fleeting": FLEETING}


def _one(world: World, name: str) -> dict[str, Any]:
    return {
        "it": _load_loop(name),
        "state": loops.state(world, name),
        "fleeting": FLEETING,
        "every": loops.load_loops(),
    }


def _load_loop(name: str) -> Loop:
    loop = loops.load_loops().get(name)
    if loop is None:
        raise NotThere(later("There is no such loop."), later("The Architecture page shows them all."))
    return loop


@router.get("/architecture")
def architecture(request: Request, world: CurrentWorld) -> HTMLResponse:
    """Show the loops."""
    return rendering.page(request, "architecture", **_describe_loops(world))


@router.get("/parts/architecture/loops")
def all_loops(request: Request, world: CurrentWorld) -> HTMLResponse:
    """Show the loops as a fragment, fetched again on changes."""
    return rendering.part(request, "architecture_loops", **_describe_loops(world))


@router.get("/architecture/loops/{name}")
def one_loop(request: Request, world: CurrentWorld, name: str) -> HTMLResponse:
    """Show one loop and its state."""
    _load_loop(name)
    return rendering.page(request, "architecture_loop", **_one(world, name))


@router.get("/parts/architecture/loops/{name}")
def how_it_stands(request: Request, world: CurrentWorld, name: str) -> HTMLResponse:
    """Show the state of a loop as a fragment, fetched again on changes."""
    _load_loop(name)
    return rendering.part(request, "architecture_state", **_one(world, name))


def _simulate(request: Request) -> dict[str, Any]:
    """Run the simulation of the form; values that are not numbers are ignored."""
    world: World = request.app.state.world()
    asked = request.query_params
    given = {name: value for name in NAMES if (value := numbers.decimal(asked.get(name, ""))) is not None}
    preset = asked.get("preset", "now")
    shown = run(world, preset, given, numbers.decimal(asked.get("hours", "")) or 0.0)
    chart = Markup(picture(world, shown).svg("light"))
    return {"sim": shown, "chart": chart, "presets": PRESETS, "preset": preset}


@router.get("/architecture/simulator")
def simulate(request: Request) -> HTMLResponse:
    """Show the emotion simulator."""
    return rendering.page(request, "simulator", **_simulate(request), sliding=False)


@router.get("/parts/architecture/simulated")
def simulate_again(request: Request) -> HTMLResponse:
    """Show the result as a fragment, fetched while a slider moves."""
    return rendering.part(request, "simulated", **_simulate(request), sliding=True)


WIDTH = 720.0


@dataclass(frozen=True)
class Need:
    """A need in [0, 1] with its level, and its effect."""

    name: str
    label: str
    value: float
    mark: str
    does: str


@dataclass(frozen=True)
class Shown:
    """The input and the result. `tone` is what the mind would be told of the mood."""

    put_in: Mapping[str, float]
    rests: Mapping[str, float]
    result: Simulated
    needs: tuple[Need, ...]
    tone: str


def run(world: World, preset: str, given: Mapping[str, float], hours: float) -> Shown:
    """Simulate from a preset (unknown: the present state), overridden by `given`."""
    laws = world.laws
    beat = heartbeat.drift(laws, world.now)(world.state.heartbeat())
    known = preset if preset in simulating.PRESETS else "now"
    begin = simulating.preset(known, beat.emotions, laws).as_mapping()
    felt = {name: round(min(1.0, max(0.0, given.get(name, begin[name]))), 2) for name in NAMES}
    result = simulating.simulate(Emotions.from_mapping(felt), hours, laws, world.now)
    needs = tuple(
        Need(name, feelings_drawn.name_need(name), value, mark, feeling_words.does(name, mark))
        for name, value in result.needs.items()
        for mark in [result.marks[name]]
    )
    tone = world.prompts.render(f"_parts/mood/{result.mood}")
    return Shown(felt, laws.emotions.natural, result, needs, " ".join(tone.split()))


def picture(world: World, shown: Shown) -> Chart:
    """Draw feelings and needs over the next day."""
    moments = shown.result.ahead
    start, end = moments[0].at, moments[-1].at
    return charts.small_plots(
        feelings_drawn.groups(moments, world.laws, STEP),
        start=start,
        end=end,
        zone=world.zone,
        title="The next 24 hours, if nothing happens",
        description=feelings_drawn.in_words(moments, world.laws),
        width=WIDTH,
        ribbon=feelings_drawn.moods(moments, end, STEP),
    )
