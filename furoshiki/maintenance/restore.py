"""Bringing a backup back: checked and migrated first, then swapped in; what it replaces is kept.

The swap is a list of renames, written down before the first one. If the machine stops in between, `finish` completes
it, so that there is never half a companion, and never silently a new one.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from furoshiki.core import atomic_files
from furoshiki.core.crash_points import point
from furoshiki.core.database import migrate
from furoshiki.core.errors import AlreadyRunning
from furoshiki.maintenance import archive, store
from furoshiki.maintenance.trust import BackupChanges, brings, check_code
from furoshiki.people import places
from furoshiki.retrieval.client import Vectors, VectorsAway

PATIENCE_SECONDS = 5.0
"""How long whatever still runs may take to leave."""

_STAGED = ".restoring"
_PLAN = ".restoring.json"
_BESIDE_A_DATABASE = ("-wal", "-shm")


@dataclass(frozen=True)
class Restored:
    """What was brought back: when it had been made, how much it holds, under which schema it was made, and where
    everything lies that it replaced."""

    made_at: datetime
    holds: dict[str, int]
    schema: str
    replaced: Path


def restore(
    path: Path,
    data: Path,
    database: Path,
    now: datetime,
    agreed: Callable[[BackupChanges], bool] = lambda _brings: True,
) -> Restored | None:
    """Put a backup in place of what `data` and `database` hold. The index is rebuilt by memoryd from the database.

    `agreed` is shown what the backup brings along before anything changes; None when it says no. Raises BackupUnusable
    for a damaged or changed file, one of a newer release, or one for which there is no room; AlreadyRunning while
    anything of ours runs.
    """
    folder = data / "backups"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    finish(data)
    staged = folder / _STAGED
    shutil.rmtree(staged, ignore_errors=True)
    staged.mkdir(mode=0o700)
    with _nothing_runs(data):
        try:
            manifest, holds = _prepared(path, staged)
            wanted = agreed(brings(staged, data, database))
        except BaseException:  # Ctrl-C, too: nothing half unpacked is left behind
            shutil.rmtree(staged, ignore_errors=True)
            raise
        if not wanted:
            shutil.rmtree(staged, ignore_errors=True)
            return None
        replaced = folder / now.astimezone(UTC).strftime("replaced-%Y%m%dT%H%M%SZ")
        replaced.mkdir(mode=0o700)
        _plan(data, database, staged, replaced)
        point("restore.planned")
        finish(data)
    return Restored(manifest.made_at, holds, manifest.schema, replaced)


def finish(data: Path) -> bool:
    """Complete a restore that was cut off while it swapped; True when there was one."""
    plan = data / "backups" / _PLAN
    try:
        steps = json.loads(plan.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return False
    for source, target in steps:
        # a step that was taken has a target already, or nothing left to move
        if Path(source).exists() and not Path(target).exists():
            _move(Path(source), Path(target))
            point("restore.moved")
    shutil.rmtree(data / "backups" / _STAGED, ignore_errors=True)
    plan.unlink()
    atomic_files.sync_folder(plan.parent)
    return True


def _prepared(path: Path, staged: Path) -> tuple[archive.Manifest, dict[str, int]]:
    """Unpack and check a backup, bring its database to our schema, and forget the index it was made beside."""
    manifest = archive.extract(path, staged)
    if manifest.schema > migrate.HEAD:
        raise archive.BackupUnusable(
            f"{path} was made by a newer Furoshiki (schema {manifest.schema}, this one knows {migrate.HEAD}): "
            "update Furoshiki first"
        )
    copy = staged / archive.DATABASE
    faults = store.faults(copy)
    if faults:
        raise archive.BackupUnusable(f"{path} holds a damaged database: {faults[0]}")
    for place in places.folders(staged):
        if faults := store.faults(place / places.DATABASE):
            raise archive.BackupUnusable(f"{path} holds a damaged database of {place.name}: {faults[0]}")
    check_code(copy)
    for place in places.folders(staged):
        check_code(place / places.DATABASE)
    migrate.ensure(copy)
    store.forget_index(copy)
    store.forget_offers(copy)
    holds = store.counts(copy)
    for left in (*_BESIDE_A_DATABASE, ".migrate", ".gate"):
        Path(f"{copy}{left}").unlink(missing_ok=True)
    return manifest, holds


def _plan(data: Path, database: Path, staged: Path, replaced: Path) -> None:
    """Write down every rename: first the old out of the way, then the new in its place."""
    usual = data / archive.DATABASE
    steps: list[tuple[Path, Path]] = []
    if database != usual:
        for name in ("", *_BESIDE_A_DATABASE):
            steps.append((Path(f"{database}{name}"), replaced / f"{database.name}{name}"))
    for name in archive.FOLDERS:
        if (staged / name).exists() or name == "memory":
            steps.append((data / name, replaced / name))
            steps.append((staged / name, data / name))
    if database != usual:
        steps.append((usual, database))
    # What is not there now needs no moving away; and a later step may put the new one in that very place.
    kept = [(source, target) for source, target in steps if source.exists() or source == usual]
    atomic_files.write_text(
        data / "backups" / _PLAN, json.dumps([[str(source), str(target)] for source, target in kept])
    )


def _move(source: Path, target: Path) -> None:
    """Rename, durably; a database that lies on another disk is copied first and appears there whole."""
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        source.rename(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        draft = target.with_name(f".{target.name}.new")
        shutil.copyfile(source, draft)
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        draft.rename(target)
        source.unlink()
    atomic_files.sync_folder(target.parent)
    atomic_files.sync_folder(source.parent)


@contextlib.contextmanager
def _nothing_runs(data: Path) -> Iterator[None]:
    """Hold every lock of ours, so that nothing starts meanwhile. memoryd is asked to leave, and waited for."""
    with contextlib.suppress(VectorsAway):
        Vectors(data).stop()
    run = data / "run"
    run.mkdir(exist_ok=True, mode=0o700)
    (run / "brain.lock").touch(mode=0o600)
    handles: list[int] = []
    give_up = time.monotonic() + PATIENCE_SECONDS
    try:
        for lock in sorted(run.glob("*.lock")):
            handles.append(os.open(lock, os.O_RDWR | os.O_CLOEXEC))
            while not _ours(handles[-1]):
                if time.monotonic() > give_up:
                    raise AlreadyRunning(f"{lock.stem} is running: stop Furoshiki first, then restore")
                time.sleep(0.1)
        yield
    finally:
        for handle in handles:
            os.close(handle)


def _ours(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
