"""Shapes rendered as PNG, for chats, which show no SVG. Pillow is imported on first use."""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import hypot
from typing import TYPE_CHECKING

from furoshiki.core.pictures.rules import palette
from furoshiki.core.pictures.rules.shapes import Box, Dot, Drawing, Grid, Point, Polygon, Polyline, Text
from furoshiki.core.pictures.values import Theme

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

FINER = 3  # oversampling factor for antialiasing of lines and fills
STRIP = 128  # rows of pixels rendered at once; the whole picture would take 50 MB

_WIDEST = 4.0  # the maximum width of lines and dots

SHADES = 128  # colours of the PNG's palette: enough for all charts, and less than half the bytes

_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}
# replacements for characters that the bundled font lacks
_PLAIN = str.maketrans(
    {"–": "-", "—": "-", "−": "-", "×": "x", "→": "->", "ß": "ss", "€": "EUR ", "‘": "’", "æ": "ae", "ø": "o", "ł": "l"}
)

_HAS = frozenset("…·°’“”")  # characters of the bundled font besides ASCII


def paint(drawing: Drawing, theme: Theme, scale: float) -> bytes:
    """Render a drawing as a PNG file, `scale` pixels for each unit (2 is sharp on a phone)."""
    from PIL import Image, ImageDraw

    size = (round(drawing.width * scale), round(drawing.height * scale))
    ground = palette.colour("ground", theme)
    image = Image.new("RGB", size, ground)
    for top in range(0, size[1], STRIP):
        strip = Image.new("RGB", (size[0] * FINER, min(STRIP, size[1] - top) * FINER), ground)
        brush = ImageDraw.Draw(strip, "RGBA")
        for shape in drawing.shapes:
            if not isinstance(shape, Text) and _reaches(shape, top / scale, (top + STRIP) / scale):
                _paint(brush, shape, theme, scale * FINER, top * FINER)
        image.paste(strip.reduce(FINER), (0, top))
    # the font renderer antialiases text itself, sharper at its final size
    brush = ImageDraw.Draw(image)
    for shape in drawing.shapes:
        if isinstance(shape, Text):
            _write(brush, shape, theme, scale)
    file = io.BytesIO()
    image.quantize(SHADES, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


def _reaches(shape: Box | Grid | Polyline | Polygon | Dot, top: float, bottom: float) -> bool:
    """Return whether a shape may be visible between two heights."""
    if isinstance(shape, Box):
        heights = [shape.y, shape.y + shape.height]
    elif isinstance(shape, Dot):
        heights = [shape.y]
    else:
        points = [one for line in shape.lines for one in line] if isinstance(shape, Grid) else shape.points
        heights = [y for _, y in points]
    return min(heights, default=bottom) <= bottom + _WIDEST and max(heights, default=top) >= top - _WIDEST


def _paint(
    brush: ImageDraw, shape: Box | Grid | Polyline | Polygon | Dot, theme: Theme, scale: float, top: int
) -> None:
    """Draw a shape on the strip that begins `top` pixels down."""
    colour = palette.colour(shape.tone, theme)

    def placed(points: Iterable[Point]) -> list[Point]:
        return [(round(x * scale), round(y * scale) - top) for x, y in points]

    if isinstance(shape, Polyline):
        for points in _split_dashes(shape.points, shape.dash):
            brush.line(placed(points), colour, max(1, round(shape.width * scale)), "curve")
    elif isinstance(shape, Grid):
        for line in shape.lines:
            brush.line(placed(line), colour, max(1, round(scale)))
    elif isinstance(shape, Dot):
        [middle] = placed([(shape.x, shape.y)])
        brush.circle(middle, shape.radius * scale, colour)
    elif isinstance(shape, Polygon):
        brush.polygon(placed(shape.points), _thin(colour, shape.opacity))
    else:
        (x, y), (right, bottom) = placed([(shape.x, shape.y), (shape.x + shape.width, shape.y + shape.height)])
        corners = (x, y, max(right - 1, x), max(bottom - 1, y))
        brush.rounded_rectangle(corners, shape.radius * scale, _thin(colour, shape.opacity))


def _thin(colour: str, opacity: float) -> str:
    return f"{colour}{round(opacity * 255):02x}"


def _write(brush: ImageDraw, shape: Text, theme: Theme, scale: float) -> None:
    from PIL import ImageFont

    place, words = (shape.x * scale, shape.y * scale), _spell(shape.words)
    colour, anchor = palette.colour(shape.tone, theme), _ANCHORS[shape.anchor]
    font = ImageFont.load_default(shape.size * scale)
    if shape.halo:
        brush.text(place, words, palette.colour("ground", theme), font, anchor, stroke_width=1.5 * scale)
    brush.text(place, words, colour, font, anchor, stroke_width=0.025 * shape.size * scale if shape.strong else 0)


def _spell(words: str) -> str:
    """Replace characters that the font lacks: accents are dropped, others become "?"."""
    plain = unicodedata.normalize("NFKD", words.translate(_PLAIN).replace("…", "\x00")).replace("\x00", "…")
    kept = (one for one in plain if not unicodedata.combining(one))
    return "".join(one if one.isascii() or one in _HAS else "?" for one in kept)


def _split_dashes(points: Sequence[Point], dash: Sequence[float]) -> Iterator[list[Point]]:
    """Split a line into its dashes; the whole line when it is solid."""
    if not dash:
        yield list(points)
        return
    place, left, piece = 0, dash[0], [points[0]]
    for start, end in pairwise(points):
        length, gone = hypot(end[0] - start[0], end[1] - start[1]), 0.0
        while length - gone > left:
            gone += left
            share = gone / length
            at = (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)
            if place % 2 == 0:
                yield [*piece, at]
            piece, place = [at], place + 1
            left = dash[place % len(dash)]
        left -= length - gone
        piece.append(end)
    if place % 2 == 0 and len(piece) > 1:
        yield piece
