"""Charts of figures over time: `line_chart(...)` gives a `Chart`, which writes itself as SVG or as PNG.

chart = line_chart([Series("joy", points)], start=monday, end=now, zone=zone, title="Joy this week", low=0, high=1)
page = chart.svg("light")   # within a page: classes, no style; the page's rules are palette.css(theme)
path.write_bytes(chart.png())
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from furoshiki.core.pictures import png, svg
from furoshiki.core.pictures.rules import layout
from furoshiki.core.pictures.rules.shapes import Drawing
from furoshiki.core.pictures.svg import Fit
from furoshiki.core.pictures.values import Band, Group, Level, Panel, Series, Span, Theme


@dataclass(frozen=True)
class Chart:
    """A finished picture. `drawing` has its size and shapes, and in words what it shows."""

    drawing: Drawing

    def svg(self, fit: Fit = "auto") -> str:
        """Render as SVG with title and description.

        "auto" is for files: it holds both themes, and `prefers-color-scheme` chooses one. "light"
        and "dark" have no `<style>` at all and may stand within a page under a strict content
        security policy."""
        return svg.render(self.drawing, fit)

    def png(self, theme: Theme = "light", scale: float = 2.0) -> bytes:
        """Render as PNG, `scale` points to each unit of width and height."""
        return png.paint(self.drawing, theme, scale)


def line_chart(
    series: Sequence[Series],
    *,
    start: datetime,
    end: datetime,
    zone: tzinfo,
    title: str,
    low: float | None = None,
    high: float | None = None,
    form: str = "{:g}",
    bands: Sequence[Band] = (),
    levels: Sequence[Level] = (),
    width: float = 720.0,
) -> Chart:
    """Figures between two moments (aware; an hour to years) by the clock of a zone.

    Without series, or with series that have no points, it is an empty plot with its scales. The
    range and the last figure of each series are written out. The rest is as `Panel` has it.
    ValueError where `end` is not after `start`.
    """
    panel = Panel(series, title, low, high, form, bands, levels)
    start, end = _check_order(start, end)
    return Chart(layout.one_plot(panel, start, end, zone, width, layout.describe(panel)))


def small_plots(
    groups: Sequence[Group],
    *,
    start: datetime,
    end: datetime,
    zone: tzinfo,
    title: str,
    subtitle: str = "",
    description: str,
    width: float = 720.0,
    plot_height: float = 72.0,
    ribbon: Sequence[Span] = (),
) -> Chart:
    """A small plot for each panel, in rows under the headings of their groups: many lines, no legend.

    `ribbon` is a row of words over all of them (which mood was when). ValueError where `end` is not after `start`.
    """
    start, end = _check_order(start, end)
    return Chart(layout.many_plots(groups, start, end, zone, title, subtitle, description, width, plot_height, ribbon))


def _check_order(start: datetime, end: datetime) -> tuple[datetime, datetime]:
    if end <= start:
        raise ValueError(f"a picture's end ({end:%Y-%m-%d %H:%M}) must lie after its start ({start:%Y-%m-%d %H:%M})")
    return start.astimezone(UTC), end.astimezone(UTC)
