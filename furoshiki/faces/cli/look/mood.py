"""`furoshiki mood`: the companion's feelings, their reasons, and the curve of the last week."""

import argparse
from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo

from furoshiki.conversation.commands.look import mood
from furoshiki.core.timestamps import day_start
from furoshiki.faces.cli import context, picture_file
from furoshiki.faces.cli.past_moment import moment
from furoshiki.faces.terminal.printing import as_json, markdown, table
from furoshiki.feelings.rules import mood as mood_rules
from furoshiki.feelings.rules.mood import Moment
from furoshiki.language.humanize import describe_moment
from furoshiki.mind.inner_life import inner_state
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.owner.user_model import user
from furoshiki.world import World

DAYS = 7
STEPS_A_DAY = 6  # one mark for four hours

_MARKS = "▁▂▃▄▅▆▇█"


def run(args: argparse.Namespace) -> int:
    """Print the present mood and the past week, or draw them."""
    if args.plot is None and (args.since or args.theme):
        raise context.Misused("--since and --theme are for a picture: add --plot out.svg or --plot out.png")
    world = context.world()
    if args.plot is not None:
        return _plot(world, args)
    moments = inner_state.history(world, world.now - timedelta(days=DAYS))
    with world.database.read() as db:
        zone = user.zone(world, db)
        waiting = mind_queue.list_due(db, world.now)
    days = _days(world, moments, zone)
    curve = mood_rules.curve(moments, world.now - timedelta(days=DAYS), world.now, DAYS * STEPS_A_DAY)
    if args.json:
        inside = inner_state.look(world)
        as_json(
            {
                "mood": inside.beat.mood.word,
                "moved_by": inside.why or None,
                "senses": inside.sensed,
                "on_mind": [
                    {"kind": item.kind, "priority": item.priority, "thought": item.summary} for item in waiting
                ],
                "days": days,
                "emotions": {
                    name: [None if one is None else round(one, 3) for one in line] for name, line in curve.items()
                },
            }
        )
        return 0
    markdown(mood.describe(world, private=True).replace("\n", "\n\n"))
    if waiting:
        print()
        table(["on its mind", ""], [[item.kind.replace("_", " "), item.summary] for item in waiting])
    if moments:
        print()
        table(["a week", ""], [[name, _draw_curve(line)] for name, line in curve.items()])
        table(["day", "mostly"], [[day, ", then ".join(words)] for day, words in days.items() if words])
    return 0


def _plot(world: World, args: argparse.Namespace) -> int:
    """Draw the picture into a file, and describe it in words."""
    from furoshiki.mind.inner_life import feelings_picture

    path = picture_file.check_path(args)
    zone = user.zone_of(world)
    since = moment(args.since, world.now) if args.since else world.now - timedelta(days=DAYS)
    if since >= world.now:
        raise context.Misused(f"--since {args.since} has not come yet: name a moment in the past")
    picture = feelings_picture.until_now(world, since, zone)
    if picture is None:
        begun = describe_moment(since, zone)
        print(f"Nothing was written down of its feelings since {begun}, so there is nothing to draw.")
        print("While the brain runs (`furoshiki up`) it writes down how it feels every quarter of an hour.")
        return 1
    picture_file.write(path, picture.chart, args.theme)
    if args.json:
        as_json({"file": str(path.absolute()), "since": since.isoformat(), "words": picture.words})
        return 0
    print(picture.words)
    print(f"Drawn into {path}.")
    return 0


def _days(world: World, moments: Sequence[Moment], zone: tzinfo) -> dict[str, list[str]]:
    today = day_start(world.now, zone)
    spans: dict[str, tuple[datetime, datetime]] = {}
    for back in range(DAYS - 1, -1, -1):
        start = today - timedelta(days=back)
        end = min(start + timedelta(days=1), world.now.astimezone(zone))
        spans[start.strftime("%A, %-d %B")] = (start, end)
    return mood_rules.list_prevailing(moments, spans)


def _draw_curve(line: Sequence[float | None]) -> str:
    """Return one mark per value: its height is the emotion, a dot means no record."""
    return "".join("·" if one is None else _MARKS[min(len(_MARKS) - 1, int(one * len(_MARKS)))] for one in line)
