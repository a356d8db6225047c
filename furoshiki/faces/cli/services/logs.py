"""`furoshiki logs`: shows the log records of all processes in order of time, and follows them."""

import argparse
import json
import sys
import time
from itertools import islice
from pathlib import Path

from furoshiki.app.run_job import clock
from furoshiki.core.framing import visible
from furoshiki.core.paths import data_dir
from furoshiki.core.terminal import style
from furoshiki.core.timestamps import local, stamp
from furoshiki.faces.cli.context import Misused
from furoshiki.faces.cli.past_moment import moment
from furoshiki.faces.terminal.markdown import dim
from furoshiki.faces.terminal.printing import as_json
from furoshiki.maintenance import log_reading
from furoshiki.maintenance.log_reading import Follower, Record

LOOK_SECONDS = 0.5
LINES = 50  # records shown when neither a number nor a moment is given


def run(args: argparse.Namespace) -> int:
    """Print the last records of one log or of all, or list the logs."""
    folder = data_dir() / "logs"
    known = log_reading.names(folder)
    if args.list:
        return _list(folder, known, args.json)
    if args.name is not None and args.name.removesuffix(".log") not in known:
        raise Misused(f"no log {args.name!r} in {folder}; there are: {', '.join(known) or 'none yet'}")
    since = None if args.since is None else moment(args.since, clock())
    chosen = known if args.name is None else [args.name.removesuffix(".log")]
    followers = {name: Follower(folder / f"{name}.log") for name in chosen}
    most = args.lines or (LINES if since is None else None)
    records = list(islice(log_reading.newest_first(followers.values(), since, args.level), most))
    show = _Showing(args.json, args.name is None)
    for record in reversed(records):
        show(record)
    if not records and not args.follow and not args.json:
        print(f"Nothing has been logged{' since then' if since else ' yet'} in {folder}.")
    while args.follow:
        time.sleep(LOOK_SECONDS)
        for name in log_reading.names(folder) if args.name is None else chosen:
            followers.setdefault(name, Follower(folder / f"{name}.log", from_its_beginning=True))
        added = [record for follower in followers.values() for record in follower.added()]
        for record in sorted(added, key=lambda record: record.at):
            if log_reading.severe(record, args.level):
                show(record)
    return 0


def _list(folder: Path, known: list[str], machine: bool) -> int:
    sizes = {name: (folder / f"{name}.log").stat().st_size for name in known}
    if machine:
        as_json([{"name": name, "bytes": size} for name, size in sizes.items()])
        return 0
    for name, size in sizes.items():
        print(f"{name}\t{size:,} bytes")
    if not known:
        print(f"Nothing has been logged yet in {folder}.")
    return 0


class _Showing:
    """Prints a record: as a line of JSON, or for people with its time by this machine's clock."""

    def __init__(self, machine: bool, named: bool) -> None:
        self._machine, self._named = machine, named

    def __call__(self, record: Record) -> None:
        if self._machine:
            found = {"process": record.process, "at": stamp(record.at), "level": record.level, "logger": record.logger}
            more = {"traceback": record.traceback} if record.traceback else {}
            print(json.dumps({**found, "message": record.message, **more}, ensure_ascii=False), flush=True)
            return
        process = f"{record.process} " if self._named else ""
        if record.plain:
            print(f"{process}{record.message}", flush=True)
            return
        at = dim(f"{local(record.at, None):%Y-%m-%d %H:%M:%S}")
        logger = f"{record.logger}: " if record.logger else ""
        print(
            f"{at} {process}{record.level.upper()} {logger}{visible(record.message)}",
            file=style(sys.stdout),
            flush=True,
        )
        if record.traceback:
            print(record.traceback, flush=True)
