"""What a picture is made of: figures over time, and what stands behind and beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

Colour = Literal["blue", "orange", "teal", "pink", "slate", "ochre", "purple", "red", "green"]
"""For figures. All nine stand out from a light and a dark ground (at least 4.5 : 1)."""

Tone = Colour | Literal["ink", "quiet", "grid", "ground", "amber", "rose"]
"""Every colour of a picture: those of figures; `ink` and `quiet` for words; `amber` and `rose` for marks of needs."""

Theme = Literal["light", "dark"]


@dataclass(frozen=True)
class Series:
    """Figures over time under one label, in the order of time (aware).

    None is a gap: what was not measured is not drawn. Points further apart than `gap` are not joined either. `drawn`:
    a line from point to point; `area`, a line with its ground filled; `bars`, each from its time to the next point's
    (the last as wide as the one before).
    Without a `colour` the picture takes the next of its own.
    """

    label: str
    points: Sequence[tuple[datetime, float | None]]
    colour: Colour | None = None
    drawn: Literal["line", "area", "bars"] = "line"
    gap: timedelta | None = None


@dataclass(frozen=True)
class Level:
    """A figure to compare with, drawn across: a limit, a mean, where something rests."""

    value: float
    label: str = ""
    tone: Tone = "quiet"


@dataclass(frozen=True)
class Band:
    """A range of figures, drawn across behind the lines: where a need is amber."""

    low: float
    high: float
    tone: Tone = "amber"


@dataclass(frozen=True)
class Span:
    """A stretch of time with its word in a ribbon: which mood was when."""

    start: datetime
    end: datetime
    label: str = ""
    tone: Tone = "quiet"


@dataclass(frozen=True)
class Panel:
    """One plot: its figures, and what they are compared with.

    `low` and `high` bound the scale (None: what the figures need, rounded to a tick; bars always stand on 0). `form`
    writes a figure of the scale ("{:.0%}", "${:.2f}").
    """

    series: Sequence[Series]
    title: str = ""
    low: float | None = None
    high: float | None = None
    form: str = "{:g}"
    bands: Sequence[Band] = ()
    levels: Sequence[Level] = ()


@dataclass(frozen=True)
class Group:
    """Small plots that belong together, under a heading; `note` says how they are read."""

    title: str
    panels: Sequence[Panel]
    note: str = ""
