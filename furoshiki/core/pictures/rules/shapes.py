"""The shapes that writers render. Lengths are in units of the picture; y grows downwards."""

from dataclasses import dataclass
from typing import Literal

from furoshiki.core.pictures.values import Tone

Anchor = Literal["start", "middle", "end"]
Point = tuple[float, float]

_USUAL = 0.61  # of a letter's width in a sans-serif font, at size 1
_WIDTHS = {
    **dict.fromkeys("iljI.,:;'!|()[]{}/·’ ", 0.29),
    **dict.fromkeys('frtsczJ-"`“”°', 0.46),
    **dict.fromkeys("mwMWOQGD@%—…", 0.84),
}


def text_width(words: str, size: float) -> float:
    """Estimate a text's width in units of the picture, for a sans-serif font of this size, without
    its metrics: slightly too wide rather than too narrow."""
    return size * sum(_WIDTHS.get(letter, _USUAL) for letter in words)


@dataclass(frozen=True)
class Box:
    """A filled rectangle; `opacity` is from 0 to 1, `told` is a tooltip."""

    x: float
    y: float
    width: float
    height: float
    tone: Tone
    opacity: float = 1.0
    radius: float = 0.0
    told: str = ""


@dataclass(frozen=True)
class Polyline:
    """A line through points. `dash` has the lengths of strokes and gaps; empty: a solid line."""

    points: tuple[Point, ...]
    tone: Tone
    width: float = 1.0
    dash: tuple[float, ...] = ()
    told: str = ""


@dataclass(frozen=True)
class Grid:
    """Straight hairlines, each between two points."""

    lines: tuple[tuple[Point, Point], ...]
    tone: Tone = "grid"


@dataclass(frozen=True)
class Polygon:
    """A filled shape without an outline."""

    points: tuple[Point, ...]
    tone: Tone
    opacity: float = 1.0


@dataclass(frozen=True)
class Dot:
    """A filled circle."""

    x: float
    y: float
    radius: float
    tone: Tone


@dataclass(frozen=True)
class Text:
    """A line of text; `y` is the baseline, `x` its start, middle or end.
    A `halo` in the background colour keeps it readable on lines."""

    x: float
    y: float
    words: str
    size: float
    tone: Tone = "ink"
    anchor: Anchor = "start"
    strong: bool = False
    halo: bool = False


Shape = Box | Grid | Polyline | Polygon | Dot | Text


@dataclass(frozen=True)
class Drawing:
    """A finished picture: size, title, description in words, and shapes from back to front."""

    width: float
    height: float
    title: str
    description: str
    shapes: tuple[Shape, ...]
