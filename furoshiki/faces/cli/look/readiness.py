"""`furoshiki readiness`: the milestones with their evidence, and the companion's age."""

import argparse

from furoshiki.conversation.commands.look import readiness
from furoshiki.faces.cli import context
from furoshiki.faces.terminal.printing import as_json, markdown
from furoshiki.mind.readiness import milestones
from furoshiki.owner.user_model import user


def run(args: argparse.Namespace) -> int:
    """Print the milestones."""
    world = context.world()
    found = milestones.export_report(world)
    if args.json:
        as_json(found)
        return 0
    zone = user.zone_of(world)
    markdown(readiness.in_words(found, zone))
    return 0
