"""`furoshiki plugins wish|wishes|show|decline`: plugins that the companion writes itself."""

import argparse

from furoshiki.extensions.plugins.authoring import deciding, wishing
from furoshiki.extensions.plugins.store import jobs
from furoshiki.faces.cli import context
from furoshiki.faces.terminal.printing import answer, as_json, markdown, show_list
from furoshiki.language.humanize import shorten
from furoshiki.world import World

NONE = 'Nothing was wished for yet. `furoshiki plugins wish "tell me when the next tram leaves"` does.'


def run(args: argparse.Namespace) -> int:
    """Record a wish, list wishes, show or decline a proposal."""
    world = context.world()
    match args.verb:
        case "wish":
            return _wish(world, args)
        case "wishes":
            return _list(world, args.json)
        case "show":
            text = deciding.render_proposal(world, args.proposal)
            as_json({"text": text}) if args.json else markdown(text)
            return 0
    words = deciding.decline(world, args.proposal)
    return answer(args.json, {"words": words}, words)


def _wish(world: World, args: argparse.Namespace) -> int:
    with world.database.write() as db:
        wished = wishing.wish(world, db, " ".join(args.wish), "command")
    answer(args.json, {"words": wished.words, "job": wished.job}, wished.words)
    return 0 if wished.job is not None else 1


def _list(world: World, machine: bool) -> int:
    with world.database.read() as db:
        found = jobs.of_states(db)
    rows = []
    for job in found:
        more = job.proposal if job.state == "proposed" else shorten(job.reason or "", 160)
        rows.append((job.id, shorten(job.wish, 60), jobs.IN_WORDS[job.state], more or "", f"${job.cost_usd:.2f}"))
    return show_list(machine, found, ("", "wish", "state", "", "cost"), rows, NONE, right=(0, 4))
