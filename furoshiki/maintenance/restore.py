"""Restoring a backup: check and migrate it, then swap it in; the replaced data is kept.

The swap is a list of renames, stored before the first one. After a crash `finish` completes it, so
that there is never a partial companion, nor silently a new one. Unpacked files are deleted, also
after a crash.
"""

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
from furoshiki.core.paths import DATABASE, read_env_file
from furoshiki.core.process import trees
from furoshiki.core.process.crash_points import point
from furoshiki.maintenance import archive, encryption, store
from furoshiki.maintenance.trust import BackupChanges, brings, check_code, check_databases
from furoshiki.owner.people import places
from furoshiki.recall.retrieval.client import Vectors, VectorsAway

PATIENCE_SECONDS = 5.0  # seconds to wait for running processes to end

_STAGED = ".restoring"
_OPENED = ".opened.tar.gz"
_PLAN = ".restoring.json"
_LOCK = ".restore.lock"
_WHERE = "FUROSHIKI_DATABASE_URL"
_REPLACED = "replaced-%Y%m%dT%H%M%SZ"
_BESIDE_A_DATABASE = ("-wal", "-shm")


@dataclass(frozen=True)
class Restored:
    """A finished restore: the backup's creation time, counts and schema, the folder with the
    replaced data, the changes that it brought, whether its secrets are in place, and how many turns
    and memories were forgotten again."""

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
    """Replace the content of `data` and `database` by a backup. memoryd rebuilds the index.

    `agreed` gets the backup's changes before anything happens; if it returns False, the result is
    None. `unlock` decrypts; `secrets` also restores tokens and keys, if included. `settle` forgets
    again, in the unpacked copy, what was forgotten since. Raises BackupUnusable (damaged, modified,
    of a newer release, or too little space), AlreadyRunning while any process runs, and NoKey.
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
                if not agreed(changes):
                    trees.remove(staged, ignore_errors=True)
                    return None
                forgotten = settle(staged, manifest.made_at)
                _close(staged / DATABASE)
            except BaseException:  # also on Ctrl-C: leave nothing unpacked behind
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
    """Complete an interrupted swap, and clean up an interrupted preparation; True when something
    was swapped. Waits for a running swap, and ignores a running preparation."""
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
        if not source.exists():  # already done
            continue
        if target.exists():
            if _is_put_aside(target, folder):
                continue
            # a process created new data meanwhile: keep it aside
            _move(target, _beside(steps, folder, target.name))
        _move(source, target)
        point("restore.moved")
    trees.remove(folder / _STAGED, ignore_errors=True)
    plan.unlink()
    atomic_files.sync_folder(folder)
    return True


def _is_put_aside(target: Path, folder: Path) -> bool:
    return target.parent.parent == folder and target.parent.name.startswith("replaced-")


def _beside(steps: list[list[str]], folder: Path, name: str) -> Path:
    """Return a free name next to the replaced data for a file in the way."""
    aside = next((Path(target).parent for _, target in steps if _is_put_aside(Path(target), folder)), folder)
    number = 1
    while (free := aside / f"{name}.begun-{number}").exists():
        number += 1
    return free


def _prepare(path: Path, staged: Path, unlock: Callable[[Path], encryption.Opener] | None) -> archive.Manifest:
    """Unpack and check a backup, and migrate its database."""
    manifest = archive.extract(_open_archive(path, staged, unlock), staged)
    (staged / _OPENED).unlink(missing_ok=True)
    if manifest.schema > migrate.HEAD:
        raise archive.BackupUnusable(
            f"{path} was made by a newer Furoshiki (schema {manifest.schema}, this one knows {migrate.HEAD}): "
            "update Furoshiki first"
        )
    check_databases(path, staged)
    copy = staged / DATABASE
    check_code(copy)
    for place in places.folders(staged):
        check_code(place / DATABASE)
    migrate.ensure(copy)
    store.forget_offers(copy)
    return manifest


def _close(copy: Path) -> None:
    """Reduce a database to its one file, without index."""
    store.forget_index(copy)
    for left in (*_BESIDE_A_DATABASE, ".migrate", ".gate"):
        Path(f"{copy}{left}").unlink(missing_ok=True)


def _open_archive(path: Path, staged: Path, unlock: Callable[[Path], encryption.Opener] | None) -> Path:
    """Return the archive: the file itself, or its decrypted form."""
    if not encryption.is_encrypted(path):
        return path
    if unlock is None:
        raise encryption.NoKey(f"{path} {encryption.NO_KEY}")
    if shutil.disk_usage(staged).free < (size := path.stat().st_size):
        raise archive.BackupUnusable(f"{path} needs {size / 1e6:,.0f} MB to be opened: free some space")
    unlock(path)(path, staged / _OPENED)
    return staged / _OPENED


def _secrets_here(data: Path, staged: Path) -> tuple[str, ...]:
    """Adapt unpacked secrets to this machine's database path; returns their file's name, if any."""
    fresh = staged / archive.SECRETS
    if not fresh.exists():
        return ()
    here = read_env_file(data / archive.SECRETS).get(_WHERE)
    env_file.put(fresh, _WHERE, here)
    return (archive.SECRETS,)


def _fresh_folder(path: Path) -> Path:
    """Create a new folder, numbered if needed: two restores may be in the same second."""
    for number in itertools.count(1):
        fresh = path if number == 1 else path.with_name(f"{path.name}-{number}")
        try:
            fresh.mkdir(mode=0o700)
        except FileExistsError:
            continue
        return fresh
    raise AssertionError("there is always one more number")


def _plan(data: Path, database: Path, staged: Path, replaced: Path, besides: tuple[str, ...]) -> None:
    """Store all renames: old data out of the way, then new data into place."""
    usual = data / DATABASE
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
    # Missing sources need no step, except the database that an earlier step moves there.
    kept = [(source, target) for source, target in steps if source.exists() or source == usual]
    atomic_files.write_text(
        data / "backups" / _PLAN, json.dumps([[str(source), str(target)] for source, target in kept])
    )


def _move(source: Path, target: Path) -> None:
    """Rename with fsync; across file systems, copy first and then rename."""
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
    """Hold all locks, so that no process starts meanwhile. memoryd is asked to end first."""
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
