"""`furoshiki why`: what the last answer rested on."""

from __future__ import annotations

import argparse

from furoshiki.cli import context
from furoshiki.cli.terminal.printing import as_json, markdown
from furoshiki.conversation.commands import why


def run(args: argparse.Namespace) -> int:
    """Print the newest answer with its evidence."""
    world = context.world()
    found = why.last_answer(world)
    if args.json:
        as_json(found)
    else:
        markdown(why.in_words(world, found))
    return 0
