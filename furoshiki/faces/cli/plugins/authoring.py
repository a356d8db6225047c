"""`furoshiki plugins wish|wishes|show|decline`: plugins that the companion writes itself."""

import argparse

from furoshiki.extensions.plugins.authoring import deciding, wishing
from furoshiki.extensions.plugins.store import jobs
from furoshiki.extensions.plugins.store.jobs import Job
from furoshiki.faces.cli import context
from furoshiki.faces.terminal.printing import as_json, markdown, table
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
        case _:
            words = deciding.decline(world, args.proposal)
            as_json({"words": words}) if args.json else print(words)
    return 0


def _wish(world: World, args: argparse.Namespace) -> int:
    with world.database.write() as db:
        wished = wishing.wish(world, db, " ".join(args.wish), "command")
    if args.json:
        as_json({"words": wished.words, "job": wished.job})
    else:
        print(wished.words)
    return 0 if wished.job is not None else 1


def _list(world: World, machine: bool) -> int:
    with world.database.read() as db:
        found = jobs.of_states(db)
    if machine:
        as_json(found)
    elif not found:
        print(NONE)
    else:
        rows = [
            (job.id, shorten(job.wish, 60), jobs.IN_WORDS[job.state], _more(job), f"${job.cost_usd:.2f}")
            for job in found
        ]
        table(("", "wish", "state", "", "cost"), rows, right=(0, 4))
    return 0


def _more(job: Job) -> str:
    return (job.proposal if job.state == "proposed" else shorten(job.reason or "", 160)) or ""
