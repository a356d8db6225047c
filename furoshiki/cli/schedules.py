"""`furoshiki schedules`: what runs when, and how the last runs ended."""

from __future__ import annotations

import argparse

from furoshiki.brain import book
from furoshiki.cli import house
from furoshiki.cli.printing import as_json, table
from furoshiki.domain.when import stamp
from furoshiki.mind.commands.words import ago, shortened
from furoshiki.storage import runs


def run(args: argparse.Namespace) -> int:
    """Print every job with its next and last run. Raises BadSetting for a wrong schedules.json."""
    settings, store = house.storage()
    now = house.clock().now()
    entries = book.read(settings.data / "memory" / "schedules.json")
    with store.read() as db:
        states = runs.jobs(db)
        last = {name: next(iter(runs.latest(db, name, 1)), None) for name in entries}
    found = []
    for name, entry in entries.items():
        state, ran = states.get(name), last[name]
        due = state.due_at if state is not None else None
        found.append(
            {
                "name": name,
                "when": entry.when,
                "zone": entry.zone,
                "enabled": entry.enabled,
                "about": entry.about,
                "due_at": None if due is None else stamp(due),
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
            "" if job["last_at"] is None else ago(str(job["last_at"]), now),
            "" if job["last_exit"] in (None, 0) else f"exit {job['last_exit']}",
            shortened(str(job["last_summary"] or ""), 60),
        ]
        for job in found
    ]
    table(["job", "when", "last run", "", "what it did"], rows)
    return 0
