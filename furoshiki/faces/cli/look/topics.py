"""`furoshiki topics`: the subjects of the conversations, and where each began and ended."""

import argparse
from dataclasses import asdict

from furoshiki.core.timestamps import local, stamp
from furoshiki.faces.cli import context
from furoshiki.faces.terminal.printing import as_json, table
from furoshiki.language.humanize import ago, shorten
from furoshiki.owner.routing.rules import telling
from furoshiki.owner.routing.store import topics, turn_topics
from furoshiki.owner.user_model import user

SHOWN = 60
NOTHING = "Nothing yet: subjects are told from what you write. FUROSHIKI_BOUNDARIES switches that."


def run(args: argparse.Namespace) -> int:
    """Print the most recent subjects, and how the last messages were assigned."""
    world = context.world()
    with world.database.read() as db:
        zone = user.zone(world, db)
        known, read = topics.everywhere(db, args.limit), turn_topics.newest(db, args.limit)
    if args.json:
        said = [{**asdict(row), "at": stamp(row.at), "topic": name, "text": text} for row, text, name in read]
        held = [
            {"id": one.id, "name": one.name, "channel": where, "messages": one.messages, "last_at": stamp(one.last_at)}
            for where, one in known
        ]
        as_json({"topics": held, "messages": said})
        return 0
    if not read:
        print(NOTHING)
        return 0
    table(
        ["subject", "messages", "last spoken of"],
        [[one.name or "(no name yet)", one.messages, ago(one.last_at, world.now)] for _where, one in known],
        right=(1,),
    )
    print()
    table(
        ["when", "subject", "another one?", "message"],
        [
            [
                local(row.at, zone).strftime("%d %b %H:%M"),
                name,
                telling.NEW_TOPIC.get(row.kind, "the first") if row.boundary else "",
                shorten(" ".join(text.split()), SHOWN),
            ]
            for row, text, name in read
        ],
    )
    return 0
