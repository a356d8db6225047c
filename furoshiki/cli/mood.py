"""`furoshiki mood`: how the companion feels and why, what is on its mind, and the curve of its last week."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo

from furoshiki.cli import house
from furoshiki.cli.printing import as_json, markdown, table
from furoshiki.domain import course
from furoshiki.domain.course import Moment
from furoshiki.mind import user
from furoshiki.mind.commands import inner, mood
from furoshiki.storage import mindqueue
from furoshiki.world import World

DAYS = 7
STEPS_A_DAY = 6
"""A mark for every four hours."""

_MARKS = "▁▂▃▄▅▆▇█"


def run(args: argparse.Namespace) -> int:
    """Print the mood of now and the week behind it."""
    world = house.world()
    moments = inner.history(world, world.now - timedelta(days=DAYS))
    with world.store.read() as db:
        zone = user.zone(world, db)
        waiting = mindqueue.pending(db, world.now)
    days = _days(world, moments, zone)
    curve = course.curve(moments, world.now - timedelta(days=DAYS), world.now, DAYS * STEPS_A_DAY)
    if args.json:
        inside = inner.look(world)
        as_json(
            {
                "mood": inside.beat.mood.word,
                "moved_by": inside.why or None,
                "senses": inside.sensed,
                "on_mind": [{"kind": one.kind, "priority": one.priority, "thought": one.summary} for one in waiting],
                "days": days,
                "emotions": {
                    name: [None if one is None else round(one, 3) for one in line] for name, line in curve.items()
                },
            }
        )
        return 0
    markdown(mood.told(world, private=True).replace("\n", "\n\n"))
    if waiting:
        print()
        table(["on its mind", ""], [[one.kind.replace("_", " "), one.summary] for one in waiting])
    if moments:
        print()
        table(["a week", ""], [[name, _drawn(line)] for name, line in curve.items()])
        table(["day", "mostly"], [[day, ", then ".join(words)] for day, words in days.items() if words])
    return 0


def _days(world: World, moments: Sequence[Moment], zone: tzinfo) -> dict[str, list[str]]:
    today = world.now.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    spans: dict[str, tuple[datetime, datetime]] = {}
    for back in range(DAYS - 1, -1, -1):
        start = today - timedelta(days=back)
        end = min(start + timedelta(days=1), world.now.astimezone(zone))
        spans[start.strftime("%A, %-d %B")] = (start, end)
    return course.prevailing(moments, spans)


def _drawn(line: Sequence[float | None]) -> str:
    """A mark for each stretch: low when the emotion was, a dot where nobody wrote down how it felt."""
    return "".join("·" if one is None else _MARKS[min(len(_MARKS) - 1, int(one * len(_MARKS)))] for one in line)
