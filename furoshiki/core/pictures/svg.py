"""SVG rendering that a strict content security policy allows: no scripts or style attributes.

Colours are attributes plus a class, so that a page's CSS can override them (`palette.css`).
"""

from collections.abc import Iterator
from hashlib import sha256
from html import escape
from typing import Literal

from furoshiki.core.pictures.rules import palette
from furoshiki.core.pictures.rules.shapes import Box, Dot, Drawing, Grid, Polygon, Polyline, Shape, Text
from furoshiki.core.pictures.values import Theme, Tone

Fit = Theme | Literal["auto"]

_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"


def render(drawing: Drawing, fit: Fit) -> str:
    """Render as an SVG file; "auto" contains both themes, chosen by the viewer's settings."""
    theme: Theme = "dark" if fit == "dark" else "light"
    name = sha256(repr(drawing).encode()).hexdigest()[:8]
    size = f'width="{drawing.width:g}" height="{drawing.height:g}" viewBox="0 0 {drawing.width:g} {drawing.height:g}"'
    rules = f"<style>@media (prefers-color-scheme: dark){{{palette.css('dark')}}}</style>" if fit == "auto" else ""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="furoshiki-picture" {size} role="img" '
            f'aria-labelledby="t{name} d{name}" font-family="{_FONT}">',
            f'<title id="t{name}">{_escape(drawing.title)}</title>',
            f'<desc id="d{name}">{_escape(drawing.description)}</desc>',
            *([rules] if rules else []),
            *(line for shape in drawing.shapes for line in _shape(shape, theme)),
            "</svg>",
            "",
        ]
    )


def _shape(shape: Shape, theme: Theme) -> Iterator[str]:
    if isinstance(shape, Box):
        box = f'x="{_n(shape.x)}" y="{_n(shape.y)}" width="{_n(shape.width)}" height="{_n(shape.height)}"'
        rounded = f' rx="{_n(shape.radius)}"' if shape.radius else ""
        yield _close_tag(
            "rect", f"{box}{rounded} {_render_fill(shape.tone, theme)}{_render_opacity(shape.opacity)}", shape.told
        )
    elif isinstance(shape, Polyline):
        dashed = f' stroke-dasharray="{" ".join(f"{one:g}" for one in shape.dash)}"' if shape.dash else ""
        yield _close_tag(
            "polyline",
            f'points="{_points(shape.points)}" fill="none" class="line-{shape.tone}" '
            f'stroke="{palette.colour(shape.tone, theme)}" stroke-width="{shape.width:g}" '
            f'stroke-linejoin="round"{dashed}',
            shape.told,
        )
    elif isinstance(shape, Grid):
        lines = "".join(f"M{_n(x)} {_n(y)}L{_n(to_x)} {_n(to_y)}" for (x, y), (to_x, to_y) in shape.lines)
        yield f'<path d="{lines}" class="line-{shape.tone}" stroke="{palette.colour(shape.tone, theme)}"/>'
    elif isinstance(shape, Polygon):
        yield _close_tag(
            "polygon",
            f'points="{_points(shape.points)}" {_render_fill(shape.tone, theme)}{_render_opacity(shape.opacity)}',
            "",
        )
    elif isinstance(shape, Dot):
        dot = f'cx="{_n(shape.x)}" cy="{_n(shape.y)}" r="{_n(shape.radius)}"'
        yield _close_tag("circle", f"{dot} {_render_fill(shape.tone, theme)}", "")
    else:
        yield _words(shape, theme)


def _words(shape: Text, theme: Theme) -> str:
    anchor = "" if shape.anchor == "start" else f' text-anchor="{shape.anchor}"'
    strong = ' font-weight="600"' if shape.strong else ""
    place = f'x="{_n(shape.x)}" y="{_n(shape.y)}" font-size="{shape.size:g}"'
    words = f"{_escape(shape.words)}</text>"
    written = f"<text {place}{anchor}{strong} {_render_fill(shape.tone, theme)}>{words}"
    if not shape.halo:
        return written
    ground = f'fill="none" stroke="{palette.colour("ground", theme)}" stroke-width="3" stroke-linejoin="round"'
    return f'<text {place}{anchor} class="line-ground" {ground} aria-hidden="true">{words}{written}'


def _escape(words: str) -> str:
    """Escape a text for XML and drop unprintable characters."""
    return escape("".join(one for one in words if one.isprintable() or one in " \n"))


def _close_tag(name: str, attributes: str, told: str) -> str:
    return f"<{name} {attributes}><title>{_escape(told)}</title></{name}>" if told else f"<{name} {attributes}/>"


def _render_fill(tone: Tone, theme: Theme) -> str:
    return f'class="fill-{tone}" fill="{palette.colour(tone, theme)}"'


def _render_opacity(opacity: float) -> str:
    return "" if opacity >= 1.0 else f' fill-opacity="{opacity:g}"'


def _points(points: tuple[tuple[float, float], ...]) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in points)


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
