"""`furoshiki why`: the reasons for the last reply, for silence, and for recent decisions."""

import argparse
from dataclasses import asdict

from furoshiki.conversation.commands.look import why
from furoshiki.core.json_values import pick
from furoshiki.core.timestamps import local
from furoshiki.faces.cli import context
from furoshiki.faces.terminal.printing import as_json, markdown, table
from furoshiki.language.humanize import shorten
from furoshiki.mind.outreach import explanation
from furoshiki.mind.outreach.rules import explaining
from furoshiki.mind.outreach.rules.laws import OUTCOMES
from furoshiki.mind.outreach.store import kinds
from furoshiki.mind.outreach.store.kinds import Kind
from furoshiki.owner.user_model import user
from furoshiki.world import World


def run(args: argparse.Namespace) -> int:
    """Print the requested explanation."""
    world = context.world()
    if args.what == "outreach":
        _decisions(world, args)
    elif args.what == "not":
        as_json(why.silence(world)) if args.json else markdown(why.silence_in_words(world))
    else:
        found = why.last_said(world)
        as_json(found) if args.json else markdown(why.in_words(world, found))
    return 0


def _decisions(world: World, args: argparse.Namespace) -> None:
    """Print the newest decisions, and what was learned about each kind."""
    found = explanation.list_decisions(world, args.limit)
    with world.database.read() as db:
        known = list(kinds.every(db).values())
    if args.json:
        learned = {kind.name: {**_counts(kind), "means": explaining.describe_weight(kind.weight)} for kind in known}
        as_json({"decisions": [{**asdict(one.decision), "about": one.about} for one in found], "kinds": learned})
        return
    if not found:
        print("Nothing has been decided yet about writing first.")
        return
    zone = user.zone_of(world)
    rows = []
    for decided in found:
        one = decided.decision
        came_to, because = one.outcome or one.verdict, one.reason
        if one.passes > 1:
            came_to = f"{one.verdict}, {one.passes} times"
        if one.verdict != "sent":
            because = explaining.describe_hold(one.gate, one.reason, one.gates)
        when = local(one.last_at, zone).strftime("%d %b %H:%M")
        rows.append([when, one.kind, came_to, shorten(decided.about, 60), because])
    table(["when", "what", "came to", "about", "why"], rows)
    if known:
        print()
        table(
            ["kind", "weight", *OUTCOMES, "so it"],
            [[kind.name, *_counts(kind).values(), explaining.describe_weight(kind.weight)] for kind in known],
            right=(1, 2, 3, 4, 5),
        )


def _counts(kind: Kind) -> dict[str, float]:
    return {"weight": round(kind.weight, 3)} | pick(kind, *OUTCOMES)
