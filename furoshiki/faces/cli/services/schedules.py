"""`furoshiki schedules`: all jobs with their next start and the end of their last runs."""

import argparse
from typing import Any

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
    found, rows = [], []
    for job in jobs:
        entry, next_one = job.entry, overview.describe_next(job, now, settings.zone)
        began = ended = ""
        last: dict[str, Any] = {"last_at": None, "last_exit": None, "last_summary": None}
        if job.last is not None:
            last_at, code = stamp(job.last.started_at), job.last.exit_code
            last = {"last_at": last_at, "last_exit": code, "last_summary": job.last.summary}
            began = ago(last_at, now)
            if code:
                ended = f"exit {code}"
        about = {name: getattr(entry, name) for name in ("name", "when", "zone", "enabled", "title", "about")}
        times = {"due_at": stamp(job.due_at), "next_at": stamp(job.next_at), "next": next_one}
        found.append({**about, **times, **last, "failures": job.failures})
        done = last["last_summary"] or entry.about
        rows.append([entry.title, overview.describe_when(entry), next_one, began, ended, done])
    if not (ticking or args.json):
        note(STANDING_STILL)
    return show_list(args.json, found, ["job", "when", "next", "last run", "", "what it did, or does"], rows, "")
