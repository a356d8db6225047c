"""`furoshiki commitments`: what the companion promised itself, why, and how it kept it."""

import argparse
from collections.abc import Sequence
from datetime import datetime, tzinfo

from furoshiki.faces.cli import context
from furoshiki.faces.terminal.printing import as_json, markdown
from furoshiki.language.humanize import ago, day, plural
from furoshiki.mind.inner_life import views
from furoshiki.mind.inner_life.store import commitments, patterns
from furoshiki.mind.inner_life.store.commitments import Commitment, Judgement
from furoshiki.owner.user_model import user

Recurring = list[tuple[str, tuple[datetime, ...]]]
"""The questions behind a commitment, each with the moments at which it came up."""

MOST_DAYS = 6
"""Days listed for a question that came up: the most recent ones."""


def run(args: argparse.Namespace) -> int:
    """Print the active commitments; with --all also the ended ones."""
    world = context.world()
    with world.database.read() as db:
        zone = user.zone(world, db)
        held = commitments.every(db) if args.all else commitments.active(db)
        if args.json:
            as_json([views.promise(db, commitment) for commitment in held])
            return 0
        found = [
            (
                commitment,
                patterns.read_recurrences(db, commitment.pattern_id),
                commitments.judgements(db, commitment.id),
            )
            for commitment in held
        ]
    if not found:
        print("Nothing was ever promised." if args.all else "Nothing is promised at the moment.")
    for number, one in enumerate(found):
        markdown(("\n" if number else "") + _describe(*one, zone, world.now))
    return 0


def _describe(
    commitment: Commitment, asked: Recurring, judgements: Sequence[Judgement], zone: tzinfo, now: datetime
) -> str:
    since = f"Promised on {day(commitment.created_at, zone)}"
    if commitment.state in views.ENDED:
        since += f", {views.ENDED[commitment.state]} {day(commitment.changed_at, zone)}"
    so_far = f"honoured {plural(commitment.honoured, 'time')}, broken {plural(commitment.broken, 'time')}"
    if judgements:
        so_far += f", last {judgements[-1].verdict} {ago(judgements[-1].at, now)}"
    lines = [f"# {commitment.text}", "", f"{since}: {so_far}.", commitment.sign]
    if asked:  # not when the questions were forgotten
        lines += ["", "I kept asking myself:", ""]
        lines += [f"- {question} ({_days(times, zone)})" for question, times in asked]
    return "\n".join(lines)


def _days(times: Sequence[datetime], zone: tzinfo) -> str:
    days = list(dict.fromkeys(day(at, zone) for at in times))
    return ", ".join(("…", *days[-MOST_DAYS:]) if len(days) > MOST_DAYS else days)
