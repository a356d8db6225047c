"""`furoshiki repairs`: recurring errors, and what was done about each."""

import argparse
from datetime import datetime, tzinfo

from furoshiki.core.visible import visible
from furoshiki.extensions.repair import proposing, store
from furoshiki.extensions.repair.dispatching import evidence_of
from furoshiki.extensions.repair.store import Job
from furoshiki.faces.cli import context
from furoshiki.faces.terminal.printing import as_json, table
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
    if args.json:
        as_json(jobs)
        return 0
    if not jobs:
        print("No error has come back.")
        return 0
    table(("", "what", "times", "last", "state"), [row(job, zone, world.now) for job in jobs], right=(0, 2))
    return 0


def load_job(world: World, job_id: int | None) -> Job:
    """Return the repair with this number. Raises Misused without a number or for an unknown one."""
    if job_id is None:
        raise context.Misused("which one? Give its number, as in `furoshiki repairs show 3`")
    with world.database.read() as db:
        job = store.get(db, job_id)
    if job is None:
        raise context.Misused(f"there is no repair {job_id}: `furoshiki repairs` lists those there are")
    return job


def row(job: Job, zone: tzinfo, now: datetime) -> tuple[object, ...]:
    """Return a repair as a row of a table."""
    what = shorten(f"{job.source}: {job.kind}: {' '.join(job.message.split())}".rstrip(": "), 100)
    return job.id, what, job.times, clock(job.last_at, zone, now), proposing.IN_WORDS[job.state]


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
