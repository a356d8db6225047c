"""Values over time, from hours to a year, for the page, the API and the pictures."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import Literal, get_args

from furoshiki.core.catalogue import say
from furoshiki.core.paths import ROOT, read_toml_file
from furoshiki.core.pictures.charts import Chart, line_chart
from furoshiki.core.pictures.values import Band, Series, plain
from furoshiki.faces.overview.rules import series as rules
from furoshiki.faces.overview.rules.series import COUNTED, LENGTHS, LEVEL, Line, Span, Summary
from furoshiki.faces.overview.store import series as store
from furoshiki.feelings.rules.emotions import NAMES
from furoshiki.feelings.rules.needs import NEEDS, NeedLaw
from furoshiki.feelings.rules.user_needs import DIMENSIONS
from furoshiki.language.humanize import dollars
from furoshiki.mind.inner_life.rules import feelings_drawn
from furoshiki.owner.user_model import user
from furoshiki.world import World

Name = Literal["emotions", "needs", "user-needs", "messages", "latency", "cost"]
Unit = Literal["level", "count", "seconds", "usd"]


@dataclass(frozen=True)
class Kind:
    """A chart: name, label, meaning, unit, lines or bars, and the topics of its updates."""

    name: Name
    label: str
    about: str
    unit: Unit
    bars: bool
    topics: str


_CHARTS = read_toml_file(ROOT / "config" / "charts.toml")
# the charts in display order
KINDS: Mapping[Name, Kind] = {name: Kind(name, **_CHARTS[name]) for name in get_args(Name)}


@dataclass(frozen=True)
class OverTime:
    """A chart's values: `bounds`: the intervals' starts and last end (UTC), days by `zone`."""

    kind: Kind
    span: Span
    zone: tzinfo
    bounds: tuple[datetime, ...]
    lines: tuple[Line, ...]

    @property
    def step(self) -> timedelta:
        """The length of an interval."""
        return self.bounds[1] - self.bounds[0]

    @property
    def empty(self) -> bool:
        """Whether no value is known."""
        return all(value is None for line in self.lines for value in line.values)

    @property
    def summed(self) -> bool:
        """Whether values of several intervals are summed, not averaged."""
        return self.kind.unit in ("count", "usd")

    def summaries(self) -> list[Summary]:
        return [rules.summary(line, sum if self.summed else rules.mean) for line in self.lines]

    def rows(self) -> list[tuple[datetime, list[float | None]]]:
        """Return about twelve table rows, the newest first."""
        return rules.coarser(self.lines, self.bounds, sum if self.summed else rules.mean)


def gather(world: World, name: Name, span: Span) -> OverTime:
    """Gather the values of a chart until now."""
    steps = LEVEL if KINDS[name].unit == "level" else COUNTED
    zone = user.zone_of(world)
    bounds = rules.edges(world.now, zone, LENGTHS[span], steps[span])
    return OverTime(KINDS[name], span, zone, tuple(bounds), tuple(_LINES[name](world, bounds)))


def _make_feeling_lines(what: str, names: Sequence[str]) -> Callable[[World, Sequence[datetime]], list[Line]]:
    def lines(world: World, bounds: Sequence[datetime]) -> list[Line]:
        with world.database.read() as db:
            stretches = rules.group_points(store.read_feelings(db, bounds[0], what), bounds)
        return [Line(name, say(feelings_drawn.name_need(name)), _find_means(name, stretches)) for name in names]

    return lines


def _find_means(name: str, stretches: Sequence[Sequence[Mapping[str, float]]]) -> tuple[float | None, ...]:
    """Return the mean of a feeling in each stretch; None where it was not recorded."""
    means: list[float | None] = []
    for stretch in stretches:
        values = [feelings[name] for feelings in stretch if name in feelings]
        means.append(None)
        if values:
            means[-1] = round(rules.mean(values), 6)
    return tuple(means)


def _user_needs(world: World, bounds: Sequence[datetime]) -> list[Line]:
    with world.database.read() as db:
        found = store.user_needs(db, bounds[0])
    return [
        Line(name, say(name.replace("_", " ")), rules.carry_forward(found.get(name, ()), bounds)) for name in DIMENSIONS
    ]


def _messages(world: World, bounds: Sequence[datetime]) -> list[Line]:
    with world.database.read() as db:
        said = store.read_spoken(db, bounds[0])
    name = world.settings.furoshiki_companion_name
    lines = []
    for which, label, its in (("user", say("you"), False), ("companion", name, True)):
        points = [(one.at, 1.0) for one in said if one.by_companion is its]
        lines.append(Line(which, label, _none_as_nought(rules.fold_points(points, bounds, sum))))
    return lines


def _latency(world: World, bounds: Sequence[datetime]) -> list[Line]:
    with world.database.read() as db:
        said, calls = store.read_spoken(db, bounds[0]), store.calls(db, bounds[0])
    asked: dict[str, datetime] = {}
    answered = []
    for one in said:
        if one.turn_key is None:
            continue
        if not one.by_companion:
            asked[one.turn_key] = one.at
        elif one.replies and one.turn_key in asked:
            answered.append((one.at, (one.at - asked.pop(one.turn_key)).total_seconds()))
    called = [(call.at, call.seconds) for call in calls if call.calls == 1]
    return [
        Line(f"{what}_{which}", f"{label}, {which}", rules.fold_points(points, bounds, rules.percentile(share)))
        for what, label, points in (("answer", say("answers"), answered), ("call", say("calls"), called))
        for which, share in (("p50", 0.5), ("p95", 0.95))
    ]


def _cost(world: World, bounds: Sequence[datetime]) -> list[Line]:
    with world.database.read() as db:
        calls = store.calls(db, bounds[0])
    spent = rules.fold_points([(call.at, call.usd) for call in calls], bounds, sum)
    return [Line("usd", say("dollars"), _none_as_nought(spent))]


def _none_as_nought(values: Sequence[float | None]) -> tuple[float | None, ...]:
    """Replace None by zero, unless all values are None or zero."""
    return tuple(value or 0.0 for value in values) if any(values) else tuple(values)


_LINES: Mapping[Name, Callable[[World, Sequence[datetime]], list[Line]]] = {
    "emotions": _make_feeling_lines("emotions", NAMES),
    "needs": _make_feeling_lines("needs", NEEDS),
    "user-needs": _user_needs,
    "messages": _messages,
    "latency": _latency,
    "cost": _cost,
}


def marks(world: World) -> NeedLaw:
    """Return the levels at which a need turns amber and rose."""
    return world.laws.needs.each[NEEDS[0]]


_FORMS: Mapping[Unit, Callable[[float], str]] = {
    "level": plain,
    "count": plain,
    "seconds": lambda value: f"{plain(value)} s",
    "usd": dollars,
}


def picture(world: World, found: OverTime) -> Chart:
    """Draw the values as a picture, for browsers without scripts."""
    level = found.kind.unit == "level"
    law = marks(world)
    drawn: Literal["bars", "line"] = "bars" if found.kind.bars else "line"
    return line_chart(
        [Series(line.label, list(zip(found.bounds, line.values, strict=False)), drawn=drawn) for line in found.lines],
        start=found.bounds[0],
        end=found.bounds[-1],
        zone=found.zone,
        title=f"{say(found.kind.label)}: {say(rules.LABELS[found.span])}",
        low=0.0,
        high=1.0 if level else None,
        form=_FORMS[found.kind.unit],
        bands=[Band(law.amber, law.rose, "amber"), Band(law.rose, 1.0, "rose")] if found.kind.name == "needs" else (),
    )
