"""Detection of recurring errors in the runs of jobs and plugins, and in the logs.

Imports only the standard library and the store, for `due.py`.
"""

import sqlite3
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from furoshiki.extensions.repair import store
from furoshiki.extensions.repair.rules import recurring, signatures
from furoshiki.extensions.repair.rules.recurring import Failure, Recurring
from furoshiki.maintenance import log_reading

MOST_RECORDS = 5_000  # maximum log records examined, newest first


def fresh(db: sqlite3.Connection, data: Path, now: datetime) -> list[Recurring]:
    """Return recurring errors that no open job knows, or that are newer than it; newest last."""
    since, known = now - recurring.WINDOW, store.last_seen(db)
    failures = [*_runs(db, since), *_plugins(db, now), *_read_logs(data / "logs", since)]
    errors = recurring.find_recurring(failures, store.read_settled(db), now)
    return [error for error in errors if error.signature not in known or error.last_at > known[error.signature]]


def _runs(db: sqlite3.Connection, since: datetime) -> Iterator[Failure]:
    for run in store.read_failed_runs(db, since):
        if run.exit_code not in recurring.NO_DEFECTS:
            raised = signatures.of_traceback(run.output) or signatures.of_summary(run.exit_code, run.summary)
            text = "\n".join(part for part in (f"exit {run.exit_code}: {run.summary}", run.output.strip()) if part)
            yield Failure(run.script, run.finished_at, raised, text, run.started_at)


def _plugins(db: sqlite3.Connection, now: datetime) -> Iterator[Failure]:
    """Yield plugin failures; counted longer, as daily plugins are disabled after three failures."""
    for run in store.read_failed_plugin_runs(db, now - recurring.WINDOW_OF_PLUGINS):
        raised = signatures.of_traceback(run.output)
        if raised is not None:
            text = f"{run.summary}\n{run.output.strip()}"
            yield Failure(run.script, run.finished_at, raised, text, within=recurring.WINDOW_OF_PLUGINS)


def _read_logs(folder: Path, since: datetime) -> Iterator[Failure]:
    logs = [log_reading.Follower(folder / f"{name}.log") for name in log_reading.names(folder)]
    bad = (one for one in log_reading.newest_first(logs, since, "error") if not one.plain)
    for _, record in zip(range(MOST_RECORDS), bad, strict=False):
        text = "\n".join(part for part in (record.message, record.traceback) if part)
        raised = signatures.of_traceback(text)
        if raised is not None:
            yield Failure(record.process, record.at, raised, text)
