"""Small pictures as SVG, drawn for a phone: bars by name with few, large labels. Colours are the page's own.

What goes over time is drawn by `furoshiki.pictures`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 360, 170
LEFT, BOTTOM, TOP = 34, 18, 8
"""Units of the picture, which is as wide as the page: on a phone about a pixel each."""

COLOURS = 6
"""So many series can be told apart; the page has a colour for each, `--c0` to `--c5`, by day and by night."""


def stacked(names: Sequence[str], series: Mapping[str, Sequence[float]], what: str, unit: str = "") -> str:
    """A bar for each name, made of one piece of each series; every piece tells its figure when it is pointed at."""
    totals = [sum(values[place] for values in series.values()) for place in range(len(names))]
    most = max([*totals, 0]) or 1
    wide = (WIDTH - LEFT) / max(len(names), 1)
    parts = [_grid(most, unit)]
    every = max(1, -(-len(names) // 8))
    for place, name in enumerate(names):
        left, below = LEFT + place * wide, 0.0
        for number, (key, values) in enumerate(series.items()):
            if values[place]:
                tall = values[place] / most * (HEIGHT - BOTTOM - TOP)
                top = HEIGHT - BOTTOM - below - tall
                told = escape(f"{name}: {values[place]:g}{unit} {key}")
                parts.append(
                    f'<rect x="{left + 0.5:.1f}" y="{top:.1f}" width="{max(wide - 1, 0.8):.1f}" height="{tall:.1f}" '
                    f'fill="var(--c{number % COLOURS})"><title>{told}</title></rect>'
                )
                below += tall
        if place % every == 0:
            parts.append(_text(left, HEIGHT - 5, name))
    return _picture(parts, what)


def bars(rows: Sequence[tuple[str, float]], what: str) -> str:
    """Names with a bar each, the longest first."""
    most, tall = max([value for _, value in rows] + [0]) or 1, 22
    parts = []
    for place, (name, value) in enumerate(rows):
        top, wide = place * tall + 4, value / most * (WIDTH - 160)
        parts.append(_text(0, top + 12, name))
        parts.append(f'<rect x="104" y="{top + 2}" width="{max(wide, 1):.1f}" height="13" rx="2" fill="var(--c2)"/>')
        parts.append(_text(110 + wide, top + 12, f"{value:g}"))
    return _picture(parts, what, max(len(rows), 1) * tall + 6)


def _grid(most: float, unit: str) -> str:
    """Three lines with their figures."""
    parts = []
    for share in (0, 0.5, 1):
        y = HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH}" y1="{y:.1f}" y2="{y:.1f}" stroke="var(--line)"/>')
        parts.append(_text(0, y + 4, f"{most * share:.3g}{unit}"))
    return "".join(parts)


def _text(x: float, y: float, words: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}">{escape(words)}</text>'


def _picture(parts: Sequence[str], what: str, height: float = HEIGHT) -> str:
    drawn = "".join(parts)
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(what, quote=True)}">{drawn}</svg>'
