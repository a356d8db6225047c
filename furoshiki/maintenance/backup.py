"""Creation of backups: a consistent copy of the running system, verified, with removal of old ones.

With recipients configured, the verified backup is encrypted for them, and only that is kept.
"""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from furoshiki.core.atomic_files import locked, sync_folder
from furoshiki.core.database import migrate
from furoshiki.core.errors import StorageUnavailable, in_words
from furoshiki.core.files import digest
from furoshiki.core.paths import DATABASE
from furoshiki.core.process import trees
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import stamp
from furoshiki.maintenance import archive, encryption, store, verified
from furoshiki.maintenance.rules import PLUGIN_DATA_DAYS, to_keep
from furoshiki.maintenance.trust import check_databases
from furoshiki.maintenance.verified import Verification
from furoshiki.owner.people import places
from furoshiki.world import Report, World

_FORM = "furoshiki-%Y%m%dT%H%M%SZ.tar.gz"
_FORMS = (_FORM, _FORM + encryption.SUFFIX)
_SCRATCH = ".making-"

# held during a forgetting, files included, so that no backup is made in the middle of one
FORGETTING_LOCK = Path("run") / "forgetting.lock"

ROOM = 3.0  # free space needed while making a backup, as a multiple of the database's size

# free space needed for an encrypted backup, which briefly exists in both forms
ROOM_ENCRYPTED = 4.0


@dataclass(frozen=True)
class Backup:
    """A backup file: path, creation time, size in bytes, and counts of its content."""

    path: Path
    made_at: datetime
    size: int
    holds: dict[str, int]

    @property
    def encrypted(self) -> bool:
        """Whether a key is needed to open the backup."""
        return self.path.suffix == encryption.SUFFIX


@dataclass(frozen=True)
class Found:
    """An existing backup, with its last verification, if any."""

    path: Path
    made_at: datetime
    size: int
    encrypted: bool
    verified: Verification | None


@dataclass(frozen=True)
class Checked:
    """Result of verifying a file: the verification (None: unknown without a key), whether it was
    `opened`, and the fault."""

    path: Path
    found: Verification | None
    opened: bool
    fault: str | None = None


def daily(world: World, keep: int | None = None, *, secrets: bool = False) -> Report:
    """Make one verified backup, encrypted if recipients are set, then delete old ones: all but the
    newest `keep`, or by days, weeks and months. `secrets` includes `.env` if encrypted. A home of a
    host whose disk quota is used up gets no additional backup."""
    settings = world.settings
    folder = settings.data / "backups"
    if world.no_room() is not None:
        there = sum(1 for _ in list_dated(folder)) if folder.is_dir() else 0
        keep = max(1, min(keep or there, there))
    backup = make(settings.data, settings.database, folder, world.now, settings.backup_recipients, secrets=secrets)
    gone = let_go(folder, keep)
    _let_go_of_plugin_data(folder, world.now)
    size, how = f"{backup.size / 1_000_000:.1f} MB", "verified, encrypted" if backup.encrypted else "verified"
    summary = f"{backup.path.name}, {size}, {backup.holds['turns']} turns, {how}; {len(gone)} old ones let go"
    data = {
        "file": str(backup.path),
        "bytes": backup.size,
        "holds": backup.holds,
        "encrypted": backup.encrypted,
        "gone": gone,
    }
    return Report(True, summary, data)


def make(
    data: Path, database: Path, folder: Path, now: datetime, keys: Sequence[str] = (), *, secrets: bool = False
) -> Backup:
    """Write a backup into `folder` and read it back; concurrent backups wait for each other.

    With `keys` (age recipients) only the encrypted file is kept; `secrets` includes `.env` and
    needs keys. Raises StorageUnavailable: no space, or a damaged database.
    """
    if secrets and not keys:
        raise ValueError("secrets are saved in an encrypted backup only")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with locked(folder / ".lock"):
        return _make(data, database, folder, now, keys, secrets)


def list_backups(folder: Path) -> list[Found]:
    """Return the existing backups, newest first."""
    notes = verified.load_all(folder)
    found = []
    for moment, path in sorted(list_dated(folder), reverse=True):
        with contextlib.suppress(FileNotFoundError):
            encrypted = path.suffix == encryption.SUFFIX
            found.append(Found(path, moment, path.stat().st_size, encrypted, notes.get(path.name)))
    return found


def check(path: Path, folder: Path, now: datetime, unlock: encryption.Opener | None = None) -> Checked:
    """Verify a file, and record the result if it is in `folder`, which also needs space for
    unpacking.

    Encrypted files are opened with `unlock`; without it, only their form is checked, and that they
    are identical to the file verified at creation. Raises OSError.
    """
    with locked(folder / ".lock"):
        before, content = verified.load_all(folder).get(path.name), digest(path)
        turns, fault = 0 if before is None else before.turns, None
        opened = unlock is not None or not encryption.is_encrypted(path)
        try:
            if opened:
                with _scratch(folder) as scratch:
                    turns = verify(_plain(path, scratch, unlock), scratch / "check")["turns"]
            else:
                encryption.header(path)
                if before is not None and before.sha256 != content:
                    fault = f"{path} is not what was verified when it was made: it was changed or damaged since"
        except archive.BackupUnusable as error:
            fault = str(error)
        if not opened and before is None and fault is None:
            return Checked(path, None, opened)
        verification = Verification(stamp(now), content, fault is None, turns)
        if path.parent.resolve() == folder.resolve():
            verified.keep(folder, path.name, verification)
        return Checked(path, verification, opened, fault)


def copy_to(path: Path, folder: Path) -> Path:
    """Copy a backup atomically into another folder, and compare the copy.

    Raises StorageUnavailable if the folder is missing, full, or does not store what is written.
    """
    if not folder.is_dir():
        raise StorageUnavailable(f"{folder} is no folder: name one that is there, as of a disk that is plugged in")
    target, draft = folder / path.name, folder / f".{path.name}.part"
    try:
        with path.open("rb") as source, draft.open("wb") as copy:
            draft.chmod(0o600)
            shutil.copyfileobj(source, copy, 1024 * 1024)
            copy.flush()
            os.fsync(copy.fileno())
        if digest(draft) != digest(path):
            raise StorageUnavailable(f"{draft} is not what was written: check that disk")
        draft.rename(target)
        sync_folder(folder)
    except OSError as error:
        raise StorageUnavailable(f"{target} could not be written: {in_words(error)}") from error
    finally:
        draft.unlink(missing_ok=True)
    return target


def verify(path: Path, scratch: Path) -> dict[str, int]:
    """Unpack a backup into a new folder, check all hashes and the databases, and return counts.

    Raises BackupUnusable.
    """
    scratch.mkdir()
    archive.extract(path, scratch)
    check_databases(path, scratch)
    return store.counts(scratch / DATABASE)


def let_go(folder: Path, keep: int | None = None) -> list[str]:
    """Delete old backups, never the newest; returns their names. Other files stay."""
    newest_first = sorted(list_dated(folder), reverse=True)
    stay = {moment for moment, _ in newest_first[:keep]} if keep else to_keep(moment for moment, _ in newest_first)
    gone = [path for moment, path in newest_first[1:] if moment not in stay]
    for path in gone:
        path.unlink(missing_ok=True)
        point("backup.one_let_go")
    with locked(folder / ".lock"):
        verified.drop_all_but(folder, {path.name for _, path in list_dated(folder)})
    return [path.name for path in gone]


def plugin_data(folder: Path) -> list[Path]:
    """Return the data folders of replaced or removed plugins, kept for a rollback."""
    return sorted(folder.glob("plugins/*/*/files/data"))


def _let_go_of_plugin_data(folder: Path, now: datetime) -> None:
    """Delete replaced plugins' data older than any backup; their other files stay."""
    since = f"{now.astimezone(UTC) - timedelta(days=PLUGIN_DATA_DAYS):%Y%m%dT%H%M%S}"
    for path in plugin_data(folder):
        if path.parents[1].name < since:
            trees.remove(path)


def renew(data: Path, database: Path, folder: Path, now: datetime, keys: Sequence[str] = ()) -> list[str]:
    """Make a new backup, then delete all older ones, databases put aside by restores, and replaced
    plugins' data; returns their names. Raises StorageUnavailable; nothing is deleted then."""
    backup = make(data, database, folder, now, keys)
    gone = [path for _, path in list_dated(folder) if path != backup.path]
    aside = [*folder.glob("replaced-*"), *plugin_data(folder)]
    for path in gone:
        path.unlink(missing_ok=True)
        point("backup.one_let_go")
    for path in aside:
        trees.remove(path)
    with locked(folder / ".lock"):
        verified.drop_all_but(folder, {backup.path.name})
    return sorted(path.relative_to(folder).as_posix() for path in (*gone, *aside))


def _make(data: Path, database: Path, folder: Path, now: datetime, keys: Sequence[str], secrets: bool) -> Backup:
    for draft in folder.glob(f".{verified.FILE}.*"):  # left by a killed run
        draft.unlink(missing_ok=True)
    for left in folder.glob(f"{_SCRATCH}*"):
        trees.remove(left, ignore_errors=True)
    _ensure_room(folder, database, ROOM_ENCRYPTED if keys else ROOM)
    target = folder / now.astimezone(UTC).strftime(_FORMS[bool(keys)])
    with _scratch(folder) as scratch:
        staged = scratch / "staged"
        staged.mkdir()
        schema = _stage(data, database, staged, secrets)
        draft = scratch / "draft.tar.gz"
        archive.write(draft, staged, schema, now)
        trees.remove(staged)
        holds = verify(draft, scratch / "check")
        if keys:
            plain, draft = draft, scratch / f"draft.tar.gz{encryption.SUFFIX}"
            encryption.encrypt(plain, draft, keys)
        note = Verification(stamp(now), digest(draft), True, holds["turns"])
        point("backup.before_rename")
        draft.rename(target)
        point("backup.after_rename")
        sync_folder(folder)
    verified.keep(folder, target.name, note)
    return Backup(target, now, target.stat().st_size, holds)


def _stage(data: Path, database: Path, staged: Path, secrets: bool) -> str:
    """Copy all saved data into an empty folder, outside of forgettings; returns the schema."""
    with locked(data / FORGETTING_LOCK):
        archive.stage(data, staged, secrets=secrets)
        copy = staged / DATABASE
        copy.parent.mkdir(exist_ok=True, mode=0o700)
        store.snapshot(database, copy)
    point("backup.snapshot_taken")
    _insist(store.faults(copy), f"{database} is damaged; no backup was made of it")
    schema = migrate.current(copy)
    if schema is None:
        raise StorageUnavailable(f"{database} has no schema: there is nothing to back up yet")
    store.leave_vectors_out(copy)
    _stage_people(data, staged)
    return schema


def _plain(path: Path, scratch: Path, unlock: encryption.Opener | None) -> Path:
    """Return the archive: the file itself, or its decrypted form in the scratch folder."""
    if unlock is None:
        return path
    plain = scratch / "opened.tar.gz"
    unlock(path, plain)
    return plain


def _stage_people(data: Path, staged: Path) -> None:
    """Copy the places of other people: each database consistently, and its state files."""
    for place in places.folders(data):
        source = place / DATABASE
        copy = staged / source.relative_to(data)
        copy.parent.mkdir(parents=True, mode=0o700)
        with locked(place / FORGETTING_LOCK):
            store.snapshot(source, copy)
        _insist(store.faults(copy), f"{source} is damaged; no backup was made of it")
        store.leave_vectors_out(copy)
        for path in (place / "memory").glob("*.json"):
            with contextlib.suppress(FileNotFoundError):
                shutil.copyfile(path, copy.parent / path.name)


def list_dated(folder: Path) -> Iterator[tuple[datetime, Path]]:
    """Yield the backups in a folder with their creation times, unordered; skips other files."""
    for path in folder.glob("furoshiki-*.tar.gz*"):
        for form in _FORMS:
            with contextlib.suppress(ValueError):
                yield datetime.strptime(path.name, form).replace(tzinfo=UTC), path


def _ensure_room(folder: Path, database: Path, times: float) -> None:
    needed, free = database.stat().st_size * times, shutil.disk_usage(folder).free
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
    """Provide a temporary folder next to the backups: the same file system, not a small /tmp."""
    scratch = Path(tempfile.mkdtemp(prefix=_SCRATCH, dir=folder))
    try:
        yield scratch
    finally:
        trees.remove(scratch, ignore_errors=True)
