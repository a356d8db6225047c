"""`furoshiki schedules`: what runs when, when it runs next, and how the last runs ended."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime, tzinfo

from furoshiki.cli import context
from furoshiki.conversation.commands.status import LOCKS, lock_held
from furoshiki.core.timestamps import local, stamp
from furoshiki.language.humanize import ago, shortened
from furoshiki.scheduler import schedule_file
from furoshiki.scheduler.rules import next_run
from furoshiki.scheduler.schedule_file import Entry
from furoshiki.scheduler.store import runs
from furoshiki.terminal.printing import as_json, note, table

STANDING_STILL = "The brain is not running, so none of this runs until it does: `furoshiki up`."


def run(args: argparse.Namespace) -> int:
    """Print every job with its next and last run. Raises BadSetting for a wrong schedules.json."""
    settings, database = context.storage()
    now = context.clock().now()
    entries = schedule_file.read(settings.data / "memory" / "schedules.json")
    with database.read() as db:
        states = runs.jobs(db)
        last = {name: next(iter(runs.latest(db, name, 1)), None) for name in entries}
    ticking = lock_held(settings.data / "run" / LOCKS["brain"])
    found = []
    for name, entry in entries.items():
        state, ran = states.get(name), last[name]
        due = state.due_at if state is not None and ticking else None
        zone = settings.zone if entry.zone == "user" else UTC
        upcoming = (due or _next(entry, now, zone)) if entry.enabled else None
        found.append(
            {
                "name": name,
                "when": entry.when,
                "zone": entry.zone,
                "enabled": entry.enabled,
                "about": entry.about,
                "due_at": None if due is None else stamp(due),
                "next_at": None if upcoming is None else stamp(upcoming),
                "next": "" if upcoming is None else _said(upcoming, settings.zone, now),
                "last_at": None if ran is None else stamp(ran.started_at),
                "last_exit": None if ran is None else ran.exit_code,
                "last_summary": None if ran is None else ran.summary,
                "failures": 0 if state is None else state.failures,
            }
        )
    if args.json:
        as_json(found)
        return 0
    rows = [
        [
            job["name"],
            job["when"] if job["enabled"] else "off",
            job["next"],
            "" if job["last_at"] is None else ago(str(job["last_at"]), now),
            "" if job["last_exit"] in (None, 0) else f"exit {job['last_exit']}",
            shortened(str(job["last_summary"] or ""), 60),
        ]
        for job in found
    ]
    table(["job", "when", "next", "last run", "", "what it did"], rows)
    if not ticking:
        note(STANDING_STILL)
    return 0


def _next(entry: Entry, now: datetime, zone: tzinfo) -> datetime | None:
    """When it would run next if it had never run: what the brain, were it there, would begin with."""
    return next_run(entry.timing, now, zone, [], now, None)


def _said(at: datetime, zone: tzinfo, now: datetime) -> str:
    """A moment to come in the user's zone: "now", "18:40", "Wed 10:00"."""
    if at <= now:
        return "now"
    then = local(at, zone)
    near = (at - now).total_seconds() < 24 * 3600 and then.date() == local(now, zone).date()
    return then.strftime("%H:%M" if near else "%a %H:%M")
