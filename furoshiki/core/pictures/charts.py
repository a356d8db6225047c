"""Charts of values over time: `line_chart(...)` returns a `Chart`, which renders as SVG or PNG.

chart = line_chart([Series("joy", points)], start=monday, end=now, zone=zone, title="Joy this week", low=0, high=1)
page = chart.svg("light")   # within a page: classes, no style; the page's rules are palette.css(theme)
path.write_bytes(chart.png())
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from furoshiki.core.pictures import png, svg
from furoshiki.core.pictures.rules import layout
from furoshiki.core.pictures.rules.shapes import Drawing
from furoshiki.core.pictures.svg import Fit
from furoshiki.core.pictures.values import Band, Group, Level, Panel, Series, Span, Theme, plain


@dataclass(frozen=True)
class Chart:
    """A finished chart. `drawing` holds its size, its shapes, and a description in words."""

    drawing: Drawing

    def svg(self, fit: Fit = "auto") -> str:
        """Render as SVG with title and description.

        "auto" is for files: both themes, chosen by `prefers-color-scheme`. "light" and "dark" have
        no `<style>` and may be embedded in a page with a strict content security policy.
        """
        return svg.render(self.drawing, fit)

    def png(self, theme: Theme = "light", scale: float = 2.0) -> bytes:
        """Render as PNG, with `scale` pixels for each unit of width and height."""
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
    form: Callable[[float], str] = plain,
    bands: Sequence[Band] = (),
    levels: Sequence[Level] = (),
    width: float = 720.0,
) -> Chart:
    """Draw a chart of values between two times (aware; hours to years) in a time zone.

    Without points it is an empty plot with scales. The description has the range and last value of
    each series. See `Panel` for the other arguments. Raises ValueError unless `end` is after
    `start`.
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
    """Draw a small plot for each panel, in rows under the headings of their groups, without a
    legend. `ribbon` is a row of labelled spans above them (moods). Raises ValueError unless `end`
    is after `start`."""
    start, end = _check_order(start, end)
    return Chart(layout.many_plots(groups, start, end, zone, title, subtitle, description, width, plot_height, ribbon))


def _check_order(start: datetime, end: datetime) -> tuple[datetime, datetime]:
    if end <= start:
        raise ValueError(f"a picture's end ({end:%Y-%m-%d %H:%M}) must lie after its start ({start:%Y-%m-%d %H:%M})")
    return start.astimezone(UTC), end.astimezone(UTC)
