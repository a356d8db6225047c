"""Bringing a backup back: checked and migrated first, then swapped in; what it replaces is kept.

The swap is a list of renames, written down before the first one. If the machine stops in between, `finish` completes
it, so that there is never half a companion, and never silently a new one. What is unpacked for it goes away again,
also when the machine stops.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import itertools
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from furoshiki.core import atomic_files, env_file
from furoshiki.core.database import migrate
from furoshiki.core.errors import AlreadyRunning
from furoshiki.core.paths import read_env_file
from furoshiki.core.process import trees
from furoshiki.core.process.crash_points import point
from furoshiki.maintenance import archive, encryption, store
from furoshiki.maintenance.trust import BackupChanges, brings, check_code
from furoshiki.owner.people import places
from furoshiki.recall.retrieval.client import Vectors, VectorsAway

PATIENCE_SECONDS = 5.0
"""How long whatever still runs may take to leave."""

_STAGED = ".restoring"
_OPENED = ".opened.tar.gz"
_PLAN = ".restoring.json"
_LOCK = ".restore.lock"
_WHERE = "FUROSHIKI_DATABASE_URL"
_REPLACED = "replaced-%Y%m%dT%H%M%SZ"
_BESIDE_A_DATABASE = ("-wal", "-shm")


@dataclass(frozen=True)
class Restored:
    """What was brought back: when it had been made, how much it holds, under which schema it was made, where everything
    lies that it replaced, what it brought along, whether its tokens and keys are in place, and how much of it (turns,
    memories) stayed forgotten."""

    made_at: datetime
    holds: dict[str, int]
    schema: str
    replaced: Path
    changes: BackupChanges
    with_secrets: bool
    forgotten: Mapping[str, int]


def restore(
    path: Path,
    data: Path,
    database: Path,
    now: datetime,
    agreed: Callable[[BackupChanges], bool] = lambda _brings: True,
    unlock: Callable[[Path], encryption.Opener] | None = None,
    secrets: bool = False,
    settle: Callable[[Path, datetime], Mapping[str, int]] = lambda _staged, _made_at: {},
) -> Restored | None:
    """Put a backup in place of what `data` and `database` hold. The index is rebuilt by memoryd from the database.

    `agreed` is shown what the backup brings along before anything changes; None when it says no. `unlock` tells how to
    open one that is encrypted; `secrets` puts its tokens and keys in place, too, where it holds some. `settle` forgets
    what was forgotten since it was made, in the folder where it is unpacked, before it is anybody's. Raises
    BackupUnusable for a damaged or changed file, one of a newer release, or one for which there is no room;
    AlreadyRunning while anything of ours runs; NoKey.
    """
    folder = data / "backups"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with atomic_files.locked(folder / _LOCK):
        _finish(folder)
        staged = folder / _STAGED
        staged.mkdir(mode=0o700)
        with _hold_all_locks(data):
            try:
                manifest = _prepare(path, staged, unlock)
                changes = brings(staged, data, database)
                wanted = agreed(changes)
            except BaseException:  # Ctrl-C, too: nothing half unpacked is left behind
                trees.remove(staged, ignore_errors=True)
                raise
            if not wanted:
                trees.remove(staged, ignore_errors=True)
                return None
            try:
                forgotten = settle(staged, manifest.made_at)
                _close(staged / archive.DATABASE)
            except BaseException:
                trees.remove(staged, ignore_errors=True)
                raise
            point("restore.settled")
            replaced = _fresh_folder(folder / now.astimezone(UTC).strftime(_REPLACED))
            _plan(data, database, staged, replaced, _secrets_here(data, staged) if secrets else ())
            point("restore.planned")
            _finish(folder)
    return Restored(
        manifest.made_at,
        store.counts(database),
        manifest.schema,
        replaced,
        changes,
        secrets and bool(changes.secrets),
        forgotten,
    )


def finish(data: Path) -> bool:
    """Complete a restore that was cut off while it swapped, and clear away one that was cut off before; True when
    something was swapped. One that goes on is waited for while it swaps, and else left alone."""
    folder = data / "backups"
    swapping = (folder / _PLAN).exists()
    if not swapping and not (folder / _STAGED).exists():
        return False
    with atomic_files.locked(folder / _LOCK, wait=swapping) as alone:
        return alone and _finish(folder)


def _finish(folder: Path) -> bool:
    plan = folder / _PLAN
    try:
        steps = json.loads(plan.read_text(encoding="utf-8"))
    except FileNotFoundError:
        trees.remove(folder / _STAGED, ignore_errors=True)
        return False
    for source, target in ((Path(source), Path(target)) for source, target in steps):
        if not source.exists():  # this step was taken
            continue
        if target.exists():
            if _is_put_aside(target, folder):
                continue
            # somebody started afresh between two renames: what they began is kept, out of the way
            _move(target, _beside(steps, folder, target.name))
        _move(source, target)
        point("restore.moved")
    trees.remove(folder / _STAGED, ignore_errors=True)
    plan.unlink()
    atomic_files.sync_folder(folder)
    return True


def _is_put_aside(target: Path, folder: Path) -> bool:
    """Whether a step's target is in the folder of what is replaced."""
    return target.parent.parent == folder and target.parent.name.startswith("replaced-")


def _beside(steps: list[list[str]], folder: Path, name: str) -> Path:
    """A free name for something that was in the way, beside what is replaced."""
    aside = next((Path(target).parent for _, target in steps if _is_put_aside(Path(target), folder)), folder)
    number = 1
    while (free := aside / f"{name}.begun-{number}").exists():
        number += 1
    return free


def _prepare(path: Path, staged: Path, unlock: Callable[[Path], encryption.Opener] | None) -> archive.Manifest:
    """Unpack and check a backup, and bring its database to our schema."""
    manifest = archive.extract(_open_archive(path, staged, unlock), staged)
    (staged / _OPENED).unlink(missing_ok=True)
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
    store.forget_offers(copy)
    return manifest


def _close(copy: Path) -> None:
    """Make the one file of a database all there is of it, with no index."""
    store.forget_index(copy)
    for left in (*_BESIDE_A_DATABASE, ".migrate", ".gate"):
        Path(f"{copy}{left}").unlink(missing_ok=True)


def _open_archive(path: Path, staged: Path, unlock: Callable[[Path], encryption.Opener] | None) -> Path:
    """The archive itself: the file, or what it opens to."""
    if not encryption.is_encrypted(path):
        return path
    if unlock is None:
        raise encryption.NoKey(f"{path} {encryption.NO_KEY}")
    if shutil.disk_usage(staged).free < (size := path.stat().st_size):
        raise archive.BackupUnusable(f"{path} needs {size / 1e6:,.0f} MB to be opened: free some space")
    unlock(path)(path, staged / _OPENED)
    return staged / _OPENED


def _secrets_here(data: Path, staged: Path) -> tuple[str, ...]:
    """Fit unpacked secrets to this machine, which says itself where its database is; the name of their file."""
    fresh = staged / archive.SECRETS
    if not fresh.exists():
        return ()
    here = read_env_file(data / archive.SECRETS).get(_WHERE)
    env_file.put(fresh, _WHERE, here)
    return (archive.SECRETS,)


def _fresh_folder(path: Path) -> Path:
    """A new folder of this name, or of one with a number: another restore may be in the same second."""
    for number in itertools.count(1):
        fresh = path if number == 1 else path.with_name(f"{path.name}-{number}")
        try:
            fresh.mkdir(mode=0o700)
        except FileExistsError:
            continue
        return fresh
    raise AssertionError("there is always one more number")


def _plan(data: Path, database: Path, staged: Path, replaced: Path, besides: tuple[str, ...]) -> None:
    """Write down every rename: first the old out of the way, then the new in its place."""
    usual = data / archive.DATABASE
    steps: list[tuple[Path, Path]] = []
    if database != usual:
        for name in ("", *_BESIDE_A_DATABASE):
            steps.append((Path(f"{database}{name}"), replaced / f"{database.name}{name}"))
    for name in (*archive.FOLDERS, *besides):
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
def _hold_all_locks(data: Path) -> Iterator[None]:
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
