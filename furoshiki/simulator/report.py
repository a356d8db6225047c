"""A simulated life as one page that needs nothing from outside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from furoshiki.simulator import charts
from furoshiki.simulator.simulate import Lived, figures
from furoshiki.simulator.story import Said

TEMPLATE = "report.html.j2"
FIRST = 40
"""So many messages are shown with their reasons."""


@dataclass(frozen=True)
class Picture:
    """A heading, a picture, the names of its series in the order of their colours, and what it shows in words."""

    heading: str
    svg: Markup
    legend: Sequence[str] = ()
    words: str = ""


def page(lived: Lived) -> str:
    """The page as HTML."""
    loader = FileSystemLoader(Path(__file__).parent)
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    said = [one for one in lived.story.said if one.policy == "unprompted"]
    return environment.get_template(TEMPLATE).render(
        story=lived.story,
        about=lived.wanted.persona.about,
        figures=figures(lived),
        tokens=sum(row["tokens"] for row in lived.calls),
        pictures=[_by_hour(lived), _held(lived), *_felt(lived), *_calls(lived)],
        first=[_row(lived, one) for one in said[:FIRST]],
        more=max(0, len(said) - FIRST),
        broken=[one.as_text() for one in lived.story.violations],
    )


def _by_hour(lived: Lived) -> Picture:
    """Who spoke at which hour of the person's day."""
    counts: dict[str, Counter[int]] = {name: Counter() for name in ("they wrote", "answers", "unprompted", "reminders")}
    names = {"reply": "answers", "unprompted": "unprompted", "reminder": "reminders"}
    for name, at in (
        *(("they wrote", one.at) for one in lived.story.heard if one.kind == "text"),
        *((names[one.policy], one.at) for one in lived.story.said),
    ):
        counts[name][at.astimezone(ZoneInfo(lived.story.zone_at(at))).hour] += 1
    series = {name: [found[hour] for hour in range(24)] for name, found in counts.items()}
    svg = charts.stacked([str(hour) for hour in range(24)], series, "Messages by hour of the day")
    return Picture("Messages by hour of the day, where they are", Markup(svg), tuple(series))


def _held(lived: Lived) -> Picture:
    held: Counter[str] = Counter()
    for row in lived.decisions:
        if row["verdict"] != "sent":
            held[f"{row['gate']}"] += row["passes"]
    svg = charts.bars(held.most_common(), "How often each gate held something back")
    return Picture("What held messages back (times a gate was asked)", Markup(svg))


def _felt(lived: Lived) -> list[Picture]:
    if lived.felt is None:
        return []
    return [Picture("Feelings and needs", Markup(lived.felt.chart.svg()), words=lived.felt.words)]


def _calls(lived: Lived) -> list[Picture]:
    days = [f"{lived.story.begins + timedelta(days=number):%Y-%m-%d}" for number in range(max(lived.days, 1))]
    groups = Counter[str]()
    for row in lived.calls:
        groups[_group(row["purpose"])] += row["calls"]
    kept = [name for name, _ in groups.most_common(charts.COLOURS)]
    calls = {name: _daily(lived, days, "calls", name) for name in kept}
    cost = {"dollars": _daily(lived, days, "usd", None)}
    names = [f"{lived.story.begins + timedelta(days=number):%-d %b}" for number in range(len(days))]
    return [
        Picture("Calls of a model by day", Markup(charts.stacked(names, calls, "Calls by day")), tuple(calls)),
        Picture("What they cost by day, in dollars", Markup(charts.stacked(names, cost, "Cost by day"))),
    ]


def _group(purpose: str) -> str:
    return purpose.partition(".")[0].replace("_", " ")


def _daily(lived: Lived, days: Sequence[str], what: str, group: str | None) -> list[float]:
    found: Counter[str] = Counter()
    for row in lived.calls:
        if group is None or _group(row["purpose"]) == group:
            found[row["day"]] += row[what]
    return [round(found[day], 5) for day in days]


def _row(lived: Lived, one: Said) -> dict[str, Any]:
    zone = ZoneInfo(lived.story.zone_at(one.at))
    why = lived.reasons.get(one.row)
    return {
        "at": f"{one.at.astimezone(zone):%-d %B, %H:%M}",
        "text": one.text,
        "kind": "" if why is None else f"{why.kind}, priority {why.priority}",
        "why": "nobody knows why" if why is None else why.why,
        "source": "" if why is None or why.source is None else why.source,
    }
