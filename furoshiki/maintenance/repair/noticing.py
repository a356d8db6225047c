"""Errors that come back, found where they are left behind: among the runs and in the logs.

Standard library and store alone: `due.py` asks the same. The doctor looks as well where it runs; whoever comes first
makes the job, by one rule.
"""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from furoshiki.core import paths
from furoshiki.maintenance.repair import store
from furoshiki.maintenance.repair.rules import log_lines, recurring, signatures
from furoshiki.maintenance.repair.rules.recurring import Failure, Recurring

MOST_BYTES = 10_000_000
"""What is read of one log, its end: as long as one may grow."""

NEVER_OURS = frozenset({"stalled"})
"""Logs that hold no records: where a process stood when it was ended."""


def fresh(db: sqlite3.Connection, data: Path, now: datetime) -> list[Recurring]:
    """Errors that came back within a day and that no open job knows of, or not of their last time; newest last."""
    since, known = now - recurring.WINDOW, store.last_seen(db)
    found = recurring.recurring([*_runs(db, since), *_logged(data / "logs", since)], store.settled(db), now)
    return [one for one in found if one.signature not in known or one.last_at > known[one.signature]]


def _runs(db: sqlite3.Connection, since: datetime) -> Iterator[Failure]:
    for run in store.failed_runs(db, since):
        if run.exit_code not in recurring.NO_DEFECTS:
            raised = signatures.of_traceback(run.output) or signatures.of_summary(run.exit_code, run.summary)
            text = "\n".join(part for part in (f"exit {run.exit_code}: {run.summary}", run.output.strip()) if part)
            yield Failure(run.script, run.finished_at, raised, text, run.started_at)


def _logged(folder: Path, since: datetime) -> Iterator[Failure]:
    zone = ZoneInfo(paths.machine_zone())
    for path in sorted((*folder.glob("*.log"), *folder.glob("*.log.[1-9]"), *folder.glob("*.log.[1-9].gz"))):
        name = path.name.partition(".log")[0]
        if name not in NEVER_OURS and _touched_since(path, since):
            for one in log_lines.errors(_lines(path), zone):
                yield Failure(name, one.at, one.raised, one.text)


def _touched_since(path: Path, since: datetime) -> bool:
    try:
        return path.stat().st_mtime >= since.timestamp()
    except OSError:
        return False


def _lines(path: Path) -> list[str]:
    """The lines at the end of a log; none when it cannot be read."""
    try:
        if path.suffix == ".gz":
            with gzip.open(path, "rb") as packed:
                return _text(packed.read(MOST_BYTES))
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - MOST_BYTES))
            return _text(file.read(MOST_BYTES))
    except (OSError, EOFError):
        return []


def _text(content: bytes) -> list[str]:
    return content.decode("utf-8", "replace").split("\n")
