"""A picture of how the companion felt: its moods, nine emotions and five needs over a day, a week, a year."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from furoshiki.feelings import heartbeat
from furoshiki.feelings.rules.mood_curve import Moment
from furoshiki.inner_life import inner_state
from furoshiki.inner_life.rules import feelings_drawn
from furoshiki.language.humanize import day
from furoshiki.pictures import charts
from furoshiki.pictures.charts import Chart
from furoshiki.world import World

WIDTH = 560.0
SHORTEST = timedelta(minutes=30)


@dataclass(frozen=True)
class Picture:
    """What is shown, and the same in words."""

    chart: Chart
    words: str


def until_now(world: World, since: datetime, zone: tzinfo) -> Picture | None:
    """From a moment until now, how it feels now included; it begins later where nothing was written down before.

    None when there is less than half an hour to show.
    """
    moments = inner_state.history(world, since - feelings_drawn.GAP)
    if not moments or moments[-1].at < since or moments[0].at > world.now - SHORTEST:
        return None
    since = max(since, moments[0].at)
    beat = heartbeat.drifted(world.laws, world.now)(world.state.heartbeat())
    return _drawn(world, [*moments, Moment(world.now, beat.emotions, beat.mood.word)], since, world.now, zone)


def _drawn(world: World, moments: list[Moment], start: datetime, end: datetime, zone: tzinfo) -> Picture:
    within = [one for one in moments if start <= one.at <= end]
    words = feelings_drawn.in_words(within, world.laws)
    first, last = day(start, zone), day(end, zone)
    chart = charts.small_plots(
        feelings_drawn.groups(moments, world.laws),
        start=start,
        end=end,
        zone=zone,
        title="How I felt",
        subtitle=first if first == last else f"{first} to {last}",
        description=words,
        width=WIDTH,
        ribbon=feelings_drawn.moods(moments, end),
    )
    return Picture(chart, words)
