"""Content of a picture: values over time, reference levels and bands."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from furoshiki.core.catalogue import format_number

# Colours of series. Contrast to light and dark backgrounds is at least 4.5 : 1.
Colour = Literal["blue", "orange", "teal", "pink", "slate", "ochre", "purple", "red", "green"]

# all colours: of series; `ink` and `quiet` for text; `amber` and `rose` for marks of needs
Tone = Colour | Literal["ink", "quiet", "grid", "ground", "amber", "rose"]

Theme = Literal["light", "dark"]


def plain(value: float) -> str:
    """Format a number in its shortest form: "0.5", "13"."""
    return format_number(value, "g")


@dataclass(frozen=True)
class Series:
    """Values over time with a label, in order of time (aware).

    None is a gap; points further apart than `gap` are not joined either. `drawn`: a "line"; an
    "area", a line with the space below filled; "bars", each from its time to the next point's (the
    last as wide as the one before). Without `colour` the next free one of the palette is used.
    """

    label: str
    points: Sequence[tuple[datetime, float | None]]
    colour: Colour | None = None
    drawn: Literal["line", "area", "bars"] = "line"
    gap: timedelta | None = None


@dataclass(frozen=True)
class Level:
    """A reference value, drawn as a horizontal line: a limit, a mean, a resting value."""

    value: float
    label: str = ""
    tone: Tone = "quiet"


@dataclass(frozen=True)
class Band:
    """A range of values, drawn as a horizontal band behind the lines (a need's amber range)."""

    low: float
    high: float
    tone: Tone = "amber"


@dataclass(frozen=True)
class Span:
    """A labelled time span in a ribbon, such as a mood."""

    start: datetime
    end: datetime
    label: str = ""
    tone: Tone = "quiet"


@dataclass(frozen=True)
class Panel:
    """One plot: its series, reference levels and bands.

    `low` and `high` bound the scale (None: from the values, rounded to a mark; bars start at 0).
    `form` formats a value.
    """

    series: Sequence[Series]
    title: str = ""
    low: float | None = None
    high: float | None = None
    form: Callable[[float], str] = plain
    bands: Sequence[Band] = ()
    levels: Sequence[Level] = ()


@dataclass(frozen=True)
class Group:
    """Small plots under a common heading; `note` is a reading aid."""

    title: str
    panels: Sequence[Panel]
    note: str = ""
