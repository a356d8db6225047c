"""Draw the companion's moods, nine emotions and five needs over a day, a week or a year."""

from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from furoshiki.core.pictures import charts
from furoshiki.core.pictures.charts import Chart
from furoshiki.core.timestamps import local
from furoshiki.feelings import heartbeat
from furoshiki.feelings.rules.mood import Moment
from furoshiki.language.humanize import day, plural
from furoshiki.mind.inner_life import inner_state
from furoshiki.mind.inner_life.rules import feelings_drawn
from furoshiki.world import World

# widths of a picture for a screen and for a phone; text is equally large in both
WIDTH, NARROW = 560.0, 420.0

# heights of the plots; narrow pictures have lower ones, to fit a phone screen
_TALL, _LOW = 72.0, 54.0

SHORTEST = timedelta(minutes=30)


@dataclass(frozen=True)
class Picture:
    """A chart and its description in words."""

    chart: Chart
    words: str


def until_now(world: World, since: datetime, zone: tzinfo, width: float = WIDTH) -> Picture | None:
    """Draw the feelings from `since` until now, starting later if records begin later.

    Returns None when there is less than half an hour to show.
    """
    moments = inner_state.history(world, since - feelings_drawn.GAP)
    if not moments or moments[-1].at < since or moments[0].at > world.now - SHORTEST:
        return None
    since = max(since, moments[0].at)
    beat = heartbeat.drift(world.laws, world.now)(world.state.heartbeat())
    return _draw(world, [*moments, Moment(world.now, beat.emotions, beat.mood.word)], since, world.now, zone, width)


def of_day(world: World, until: datetime, zone: tzinfo) -> Picture | None:
    """Draw the 24 hours before `until`; None if less than half an hour of them is recorded."""
    since = until - timedelta(days=1)
    moments = [moment for moment in inner_state.history(world, since - feelings_drawn.GAP) if moment.at <= until]
    within = [moment for moment in moments if moment.at >= since]
    if not within or within[-1].at - within[0].at < SHORTEST:
        return None
    return _draw(world, moments, since, until, zone)


def _draw(
    world: World, moments: list[Moment], start: datetime, end: datetime, zone: tzinfo, width: float = WIDTH
) -> Picture:
    within = [moment for moment in moments if start <= moment.at <= end]
    words = feelings_drawn.in_words(within, world.laws)
    moments, stretch = feelings_drawn.smooth(moments, start, end)
    gap = max(feelings_drawn.GAP, 1.5 * (stretch or timedelta()))
    chart = charts.small_plots(
        feelings_drawn.groups(moments, world.laws, gap),
        start=start,
        end=end,
        zone=zone,
        title="How I felt",
        subtitle=_dates(start, end, zone) + (f", means of {_length(stretch)}" if stretch else ""),
        description=words,
        width=width,
        plot_height=_LOW if width < WIDTH else _TALL,
        ribbon=feelings_drawn.moods(moments, end, gap),
    )
    return Picture(chart, words)


def _dates(start: datetime, end: datetime, zone: tzinfo) -> str:
    """Format both dates without repetition: "16 to 23 November 2026"."""
    first, last = local(start, zone), local(end, zone)
    if first.date() == last.date():
        return day(end, zone)
    if first.year != last.year:
        return f"{day(start, zone)} to {day(end, zone)}"
    return f"{first:{'%-d' if first.month == last.month else '%-d %B'}} to {day(end, zone)}"


def _length(stretch: timedelta) -> str:
    hours = round(stretch / timedelta(hours=1))
    return plural(hours, "hour") if hours < 24 else plural(hours // 24, "day")
