"""Making backups: a consistent copy while everything runs, verified by opening it, old ones let go."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from furoshiki.core.atomic_files import locked, sync_folder
from furoshiki.core.crash_points import point
from furoshiki.core.database import migrate
from furoshiki.core.errors import StorageUnavailable
from furoshiki.maintenance import archive, store
from furoshiki.maintenance.rules import to_keep
from furoshiki.people import places
from furoshiki.world import Report, World

_FORM = "furoshiki-%Y%m%dT%H%M%SZ.tar.gz"
_SCRATCH = ".making-"

ROOM = 3.0
"""A backup needs, while it is made, this many times the space of the database."""


@dataclass(frozen=True)
class Backup:
    """One backup file: where it lies, when it was made, its size in bytes, and how much it holds."""

    path: Path
    made_at: datetime
    size: int
    holds: dict[str, int]


def daily(world: World, keep: int | None = None) -> Report:
    """Make one verified backup, then let old ones go: all but the newest `keep`, or by days, weeks and months."""
    folder = world.settings.data / "backups"
    made = make(world.settings.data, world.settings.database, folder, world.now)
    gone = let_go(folder, keep)
    size = f"{made.size / 1_000_000:.1f} MB"
    summary = f"{made.path.name}, {size}, {made.holds['turns']} turns, verified; {len(gone)} old ones let go"
    return Report(True, summary, {"file": str(made.path), "bytes": made.size, "holds": made.holds, "gone": gone})


def make(data: Path, database: Path, folder: Path, now: datetime) -> Backup:
    """Write one backup into `folder` and read it back, after whoever makes one there now.

    Raises StorageUnavailable: no room, or a damaged database.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with locked(folder / ".lock"):
        return _make(data, database, folder, now)


def verify(path: Path, scratch: Path) -> dict[str, int]:
    """Unpack a backup into a new folder, check every hash and the database, and answer how much it holds.

    Raises BackupUnusable.
    """
    scratch.mkdir()
    archive.extract(path, scratch)
    database = scratch / archive.DATABASE
    faults = store.faults(database)
    if faults:
        raise archive.BackupUnusable(f"{path} holds a damaged database: {faults[0]}")
    for place in places.folders(scratch):
        if faults := store.faults(place / places.DATABASE):
            raise archive.BackupUnusable(f"{path} holds a damaged database of {place.name}: {faults[0]}")
    return store.counts(database)


def let_go(folder: Path, keep: int | None = None) -> list[str]:
    """Remove old backups, never the newest; returns their names. Files that are not named like ours stay."""
    newest_first = sorted(dated(folder), reverse=True)
    stay = {moment for moment, _ in newest_first[:keep]} if keep else to_keep(moment for moment, _ in newest_first)
    gone = [path for moment, path in newest_first[1:] if moment not in stay]
    for path in gone:
        path.unlink(missing_ok=True)
        point("backup.one_let_go")
    return [path.name for path in gone]


def _make(data: Path, database: Path, folder: Path, now: datetime) -> Backup:
    for left in folder.glob(f"{_SCRATCH}*"):  # a run that was killed
        shutil.rmtree(left, ignore_errors=True)
    _ensure_room(folder, database)
    target = folder / now.astimezone(UTC).strftime(_FORM)
    with _scratch(folder) as scratch:
        staged = scratch / "staged"
        staged.mkdir()
        archive.stage(data, staged)
        copy = staged / archive.DATABASE
        copy.parent.mkdir(exist_ok=True, mode=0o700)
        store.snapshot(database, copy)
        point("backup.snapshot_taken")
        _insist(store.faults(copy), f"{database} is damaged; no backup was made of it")
        schema = migrate.current(copy)
        if schema is None:
            raise StorageUnavailable(f"{database} has no schema: there is nothing to back up yet")
        store.leave_vectors_out(copy)
        _stage_people(data, staged)
        draft = scratch / target.name
        archive.write(draft, staged, schema, now)
        shutil.rmtree(staged)
        holds = verify(draft, scratch / "check")
        point("backup.before_rename")
        draft.rename(target)
        point("backup.after_rename")
        sync_folder(folder)
    return Backup(target, now, target.stat().st_size, holds)


def _stage_people(data: Path, staged: Path) -> None:
    """The places of everybody beside the owner: each database as one consistent copy, and the state beside it."""
    for place in places.folders(data):
        source = place / places.DATABASE
        copy = staged / source.relative_to(data)
        copy.parent.mkdir(parents=True, mode=0o700)
        store.snapshot(source, copy)
        _insist(store.faults(copy), f"{source} is damaged; no backup was made of it")
        store.leave_vectors_out(copy)
        for path in (place / "memory").glob("*.json"):
            with contextlib.suppress(FileNotFoundError):
                shutil.copyfile(path, copy.parent / path.name)


def dated(folder: Path) -> Iterator[tuple[datetime, Path]]:
    """The backups in a folder with the moment each was made, in no order; other files are passed over."""
    for path in folder.glob("furoshiki-*.tar.gz"):
        with contextlib.suppress(ValueError):
            yield datetime.strptime(path.name, _FORM).replace(tzinfo=UTC), path


def _ensure_room(folder: Path, database: Path) -> None:
    needed, free = database.stat().st_size * ROOM, shutil.disk_usage(folder).free
    if free < needed:
        raise StorageUnavailable(
            f"a backup needs {needed / 1e6:.0f} MB for a moment and {folder} has {free / 1e6:.0f} MB free: "
            "free some space"
        )


def _insist(faults: list[str], words: str) -> None:
    if faults:
        raise StorageUnavailable(f"{words}: {faults[0]}")


@contextlib.contextmanager
def _scratch(folder: Path) -> Iterator[Path]:
    """A folder beside the backups (the same file system, and never a small /tmp) that goes away again."""
    scratch = Path(tempfile.mkdtemp(prefix=_SCRATCH, dir=folder))
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
