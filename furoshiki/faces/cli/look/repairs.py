"""`furoshiki repairs`: recurring errors, and what was done about each."""

import argparse
from collections.abc import Sequence
from datetime import datetime, tzinfo

from furoshiki.core.framing import visible
from furoshiki.extensions.repair import proposing, store
from furoshiki.extensions.repair.dispatching import evidence_of
from furoshiki.extensions.repair.store import Job
from furoshiki.faces.cli import context
from furoshiki.faces.terminal.printing import as_json, show_list
from furoshiki.language.humanize import clock, plural, shorten
from furoshiki.owner.user_model import user
from furoshiki.world import World


def run(args: argparse.Namespace) -> int:
    """List the repairs, or show one in full."""
    world = context.world()
    if args.verb == "show":
        return _show(world, load_job(world, args.id), args.json)
    with world.database.read() as db:
        zone, jobs = user.zone(world, db), store.of_states(db)
    return show_jobs(args.json, jobs, zone, world.now, "No error has come back.")


def load_job(world: World, job_id: int | None, what: str = "repair") -> Job:
    """Return the repair with this number. Raises Misused without a number or for an unknown one."""
    if job_id is None:
        raise context.Misused(f"which one? Give its number; `furoshiki {what}s` lists them")
    with world.database.read() as db:
        job = store.get(db, job_id)
    if job is None:
        raise context.Misused(f"there is no {what} {job_id}: `furoshiki {what}s` lists them")
    return job


def show_jobs(machine: bool, jobs: Sequence[Job], zone: tzinfo, now: datetime, nothing: str) -> int:
    """Print repairs as a table, or `nothing` without any. Returns exit code 0."""
    rows = []
    for job in jobs:
        what = shorten(f"{job.source}: {job.kind}: {' '.join(job.message.split())}".rstrip(": "), 100)
        rows.append((job.id, what, job.times, clock(job.last_at, zone, now), proposing.IN_WORDS[job.state]))
    return show_list(machine, jobs, ("", "what", "times", "last", "state"), rows, nothing, right=(0, 2))


def _show(world: World, job: Job, machine: bool) -> int:
    if machine:
        as_json(job)
        return 0
    zone = user.zone_of(world)
    times, last = plural(job.times, "time"), clock(job.last_at, zone, world.now)
    lines = [f"{job.id}: {job.source}, {job.kind} ({times}, last {last})", f"{proposing.IN_WORDS[job.state]}"]
    lines += [
        f"{name}: {value}" for name, value in (("file", job.file), ("why", job.verdict), ("", job.result)) if value
    ]
    lines += ["", evidence_of(world, job).rstrip()]
    print(visible("\n".join(line.removeprefix(": ") for line in lines)))
    return 0
