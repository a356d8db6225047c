"""`furoshiki proposals`: proposed fixes of recurring errors, to be read, accepted or declined."""

import argparse
from dataclasses import asdict

from furoshiki.extensions.repair import deciding, proposing, store
from furoshiki.faces.cli import context
from furoshiki.faces.cli.look.repairs import load_job, show_jobs
from furoshiki.faces.terminal.printing import answer, as_json, markdown
from furoshiki.owner.user_model import user
from furoshiki.world import World

GONE = "Its file is not there any more; `furoshiki repairs show {id}` has what was recorded."


def run(args: argparse.Namespace) -> int:
    """List the open proposals, show one, or decide about one."""
    world = context.world()
    match args.verb:
        case "list":
            return _list(world, args.json)
        case "show":
            return _show(world, args)
    job = load_job(world, args.id, "proposal")
    words = deciding.accept(world, job.id) if args.verb == "accept" else deciding.decline(world, job.id)
    return answer(args.json, load_job(world, job.id), words)


def _list(world: World, machine: bool) -> int:
    with world.database.read() as db:
        zone, jobs = user.zone(world, db), store.of_states(db, ("proposed",))
    return show_jobs(machine, jobs, zone, world.now, "Nothing is proposed at the moment.")


def _show(world: World, args: argparse.Namespace) -> int:
    job = load_job(world, args.id, "proposal")
    text = proposing.read(world.settings.data, job)
    if args.json:
        as_json({**asdict(job), "text": text})
    else:
        markdown(text or GONE.format(id=job.id))
    return 0
