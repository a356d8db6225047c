"""Starts a job by hand besides the brain: the same script, process, time limit and record."""

import logging
import select
import threading
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

from furoshiki.app.scheduler import run_ledger
from furoshiki.app.scheduler.job_process import Child
from furoshiki.app.scheduler.schedule_file import Entry
from furoshiki.core.database.connection import Database
from furoshiki.core.errors import StorageUnavailable

LONGEST_LOOK_S = 5.0

log = logging.getLogger("furoshiki.app.scheduler")


def start(
    entry: Entry,
    data: Path,
    database: Database,
    clock: Callable[[], datetime],
    python: str,
    environ: Mapping[str, str],
    clean: Callable[[str], str],
) -> threading.Thread:
    """Start the job as the brain would, and return the thread that waits for its end. A second
    instance ends by itself, because the script takes a lock. The job outlives its caller. `clean`
    removes secrets from its output. Raises OSError."""
    begun = clock()
    child = Child(entry, data, python, environ)
    waiting = threading.Thread(
        target=_wait, args=(child, entry, database, clock, begun, clean), name=f"run {entry.name}", daemon=True
    )
    waiting.start()
    return waiting


def _wait(
    child: Child,
    entry: Entry,
    database: Database,
    clock: Callable[[], datetime],
    begun: datetime,
    clean: Callable[[str], str],
) -> None:
    """Wait until the job has ended and record its result, since a person asked for it."""
    while (end := child.look()) is None:
        poll = select.poll()
        for handle in child.watched:
            poll.register(handle, select.POLLIN)
        poll.poll(max(0.05, min(LONGEST_LOOK_S, child.next_check - time.monotonic())) * 1000)
    try:
        with database.write() as db:
            run_ledger.keep(db, entry.recorded_as, begun, clock(), end, clean)
    except (StorageUnavailable, OSError) as error:
        log.error("how %s ended could not be written down: %s", entry.name, error)
