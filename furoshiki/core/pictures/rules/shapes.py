"""Plain shapes, placed: all a writer has to know. Lengths are in units of the picture, and y grows downwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from furoshiki.core.pictures.values import Tone

Anchor = Literal["start", "middle", "end"]
Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A filled rectangle; `opacity` from 0 to 1; `told` is what a pointer that rests on it is told."""

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
    """A line through points. `dash` has the lengths of strokes and blanks, none for a solid line."""

    points: tuple[Point, ...]
    tone: Tone
    width: float = 1.0
    dash: tuple[float, ...] = ()
    told: str = ""


@dataclass(frozen=True)
class Grid:
    """Straight hair lines, each from a point to a point."""

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
    """Words on one line; `y` is where they stand (the baseline), `x` their start, middle or end. A `halo` in the colour
    of the ground keeps them readable on lines."""

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
    """A finished picture: its size, its shapes from back to front, and what it shows in words."""

    width: float
    height: float
    title: str
    description: str
    shapes: tuple[Shape, ...]
