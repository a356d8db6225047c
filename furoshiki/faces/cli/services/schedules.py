"""`furoshiki schedules`: all jobs with their next start and the end of their last runs."""

import argparse

from furoshiki.app.scheduler import job_overview
from furoshiki.core.process.locks import LOCKS, lock_held
from furoshiki.core.timestamps import stamp
from furoshiki.faces.cli import context
from furoshiki.faces.overview import jobs as overview
from furoshiki.faces.terminal.printing import note, show_list
from furoshiki.language.humanize import ago

STANDING_STILL = "The brain is not running, so none of this runs until it does: `furoshiki up`."


def run(args: argparse.Namespace) -> int:
    """Print every job with its next and last run. Raises BadSetting for a wrong schedules.json."""
    settings, database = context.storage()
    now = context.clock().now()
    ticking = lock_held(settings.data / "run" / LOCKS["brain"])
    with database.read() as db:
        jobs = job_overview.every(db, job_overview.of_owner(settings.data), now, settings.zone, ticking)
    found = [
        {
            "name": job.entry.name,
            "when": job.entry.when,
            "zone": job.entry.zone,
            "enabled": job.entry.enabled,
            "title": job.entry.title,
            "about": job.entry.about,
            "due_at": stamp(job.due_at),
            "next_at": stamp(job.next_at),
            "next": overview.describe_next(job, now, settings.zone),
            "last_at": None if job.last is None else stamp(job.last.started_at),
            "last_exit": None if job.last is None else job.last.exit_code,
            "last_summary": None if job.last is None else job.last.summary,
            "failures": job.failures,
        }
        for job in jobs
    ]
    rows = [
        [
            job["title"],
            overview.describe_when(entry),
            job["next"],
            "" if job["last_at"] is None else ago(str(job["last_at"]), now),
            "" if job["last_exit"] in (None, 0) else f"exit {job['last_exit']}",
            job["last_summary"] or job["about"],
        ]
        for job, entry in zip(found, (one.entry for one in jobs), strict=True)
    ]
    if not (ticking or args.json):
        note(STANDING_STILL)
    return show_list(args.json, found, ["job", "when", "next", "last run", "", "what it did, or does"], rows, "")
