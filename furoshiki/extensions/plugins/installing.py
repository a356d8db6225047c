"""Installation, removal and rollback of plugins: at all times the old or new version is complete.

New files are written next to the old ones under a hidden name; the database row with their hashes
makes them the plugin. After a crash before that, the old version stays; after a later one, the next
caller finishes (`settle`). Replaced versions are in backups/plugins/<name>/<stamp>/; the plugin's
data/ stays.
"""

import dataclasses
import hashlib
import json
import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from furoshiki.core import json_values, no_symlinks
from furoshiki.core.atomic_files import locked, sync_folder, write_text
from furoshiki.core.process import trees
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import parse, stamp
from furoshiki.extensions.plugins import package, pins, requirements
from furoshiki.extensions.plugins.package import NotInstalled
from furoshiki.extensions.plugins.store import plugins
from furoshiki.extensions.plugins.store.plugins import Row
from furoshiki.extensions.plugins.values import Manifest, Origin, Permissions
from furoshiki.world import World

FOLDER = "plugins"
KEPT = 5  # number of earlier versions of a plugin that are kept

_NEW, _OLD = ".new-", ".old-"
_ROW, _FILES = "row.json", "files"


def install(world: World, files: Mapping[str, bytes], origin: Origin) -> Manifest:
    """Install a plugin, enabled with its manifest's permissions, replacing any earlier version.
    Ask its owner first. Raises NotInstalled, PackagesMissing, OSError; nothing has changed then."""
    manifest = package.judge_files(files)
    with locked(lock_file(world)):
        settle(world)
        staged = _create_staging(world, manifest.name)
        try:
            write(staged, files)
            requirements.install(staged, manifest.name, manifest.requirements)
            found = pins.hash_files(staged)
            wrong = [name for name, content in files.items() if found.get(name) != hashlib.sha256(content).hexdigest()]
            if wrong:
                raise NotInstalled(f"{', '.join(wrong)} changed while it was written: try again")
            now = world.now
            row = Row(
                manifest.name, manifest.version, "enabled", origin, found, manifest.permissions, 0, None, now, now
            )
            _commit(world, staged, row)
        finally:
            settle(world)
    return manifest


def remove(world: World, name: str) -> Path:
    """Remove a plugin; returns its backup, with its data, for `rollback`. Raises OSError."""
    with locked(lock_file(world)):
        settle(world)
        with world.database.read() as db:
            row = plugins.get(db, name)
        folder, stamped = _home(world) / name, _stamp(world, name)
        kept = _keep_row(world, row, name, stamped)
        old = _home(world) / f"{_OLD}{name}@{stamped}"
        if folder.exists():
            folder.rename(old)
            sync_folder(_home(world))
        point("plugins.removed")
        with world.database.write() as db:
            plugins.remove(db, name)
        point("plugins.off_record")
        settle(world)
    return kept


def earlier(world: World, name: str) -> tuple[Path, Row]:
    """Return the files and row of the version that `rollback` restores. Raises NotInstalled."""
    for kept in sorted(_list_backups(world, name), reverse=True):
        row = _read_row(kept / _ROW)
        if row is not None and not pins.differ(kept / _FILES, row.pins):
            return kept / _FILES, row
    raise NotInstalled(f"no earlier version of {name} is kept whole: install it from where it came from")


def rollback(world: World, name: str, agreed: Row | None = None) -> Row:
    """Restore the previous version and return its row.
    Ask the owner first if it has more permissions; `agreed` is the row they were shown. Raises
    NotInstalled, OSError."""
    with locked(lock_file(world)):
        settle(world)
        files, row = earlier(world, name)
        kept = files.parent
        if agreed not in (None, row):
            raise NotInstalled(f"what is kept of {name} changed while you were asked: try again")
        staged = _create_staging(world, name)
        try:
            trees.copy(files, staged)
            if (_home(world) / name / pins.OWN).exists():  # keep the plugin's newer data
                trees.remove(staged / pins.OWN, ignore_errors=True)
            (staged / pins.OWN).mkdir(mode=0o700, exist_ok=True)
            _sync(staged)
            if pins.differ(staged, row.pins):
                raise NotInstalled(f"what is kept of {name} changed while it was copied: try again")
            back = dataclasses.replace(row, failures=0, reason=None, changed_at=world.now)
            _commit(world, staged, back)
        finally:
            settle(world)
        trees.remove(kept, ignore_errors=True)  # restored: no longer a backup
    return back


def is_unsettled(world: World) -> bool:
    """Return whether an installation is running or was interrupted."""
    try:
        return any(path.name.startswith((_NEW, _OLD)) for path in _home(world).iterdir())
    except FileNotFoundError:
        return False


def lock_file(world: World) -> Path:
    """Return the lock file for changes of plugins."""
    return world.home / "run" / "plugins.lock"


def settle(world: World) -> None:
    """Finish or undo what an interrupted process began. The caller holds the lock."""
    home = _home(world)
    with world.database.read() as db:
        rows = plugins.read_all(db)
    for staged in sorted(home.glob(f"{_NEW}*")) if home.is_dir() else []:
        name, _, stamped = staged.name.removeprefix(_NEW).partition("@")
        row = rows.get(name)
        if row is not None and stamped and not pins.differ(staged, row.pins):
            _swap(home, name, stamped)
        else:
            trees.remove(staged)
    for old in sorted(home.glob(f"{_OLD}*")) if home.is_dir() else []:
        name, _, stamped = old.name.removeprefix(_OLD).partition("@")
        folder, row = home / name, rows.get(name)
        if not folder.exists() and row is not None:  # its removal was not recorded
            old.rename(folder)
            continue
        if folder.exists() and (old / pins.OWN).exists():
            _adopt_data(old, folder)
        kept = _locate_backups(world, name) / stamped
        kept.mkdir(parents=True, exist_ok=True, mode=0o700)
        old.rename(kept / _FILES)
        point("plugins.kept")
        for gone in sorted(_list_backups(world, name))[:-KEPT]:
            trees.remove(gone, ignore_errors=True)
    if home.is_dir():
        sync_folder(home)


def _commit(world: World, staged: Path, row: Row) -> None:
    """Make the staged files the plugin."""
    name, _, stamped = staged.name.removeprefix(_NEW).partition("@")
    with world.database.read() as db:
        before = plugins.get(db, name)
    if (_home(world) / name).exists():
        _keep_row(world, before, name, stamped)
    point("plugins.staged")
    with world.database.write() as db:
        plugins.put(db, row)
    point("plugins.recorded")
    settle(world)


def _swap(home: Path, name: str, stamped: str) -> None:
    staged, old, folder = home / f"{_NEW}{name}@{stamped}", home / f"{_OLD}{name}@{stamped}", home / name
    if folder.exists() and not old.exists():
        folder.rename(old)
    point("plugins.moved_away")
    staged.rename(folder)
    sync_folder(home)
    point("plugins.in_place")


def _adopt_data(old: Path, folder: Path) -> None:
    there = folder / pins.OWN
    if there.is_dir() and not any(there.iterdir()):
        there.rmdir()
    if not there.exists():
        (old / pins.OWN).rename(there)
        sync_folder(folder)
    point("plugins.data_moved")


def _create_staging(world: World, name: str) -> Path:
    home = _home(world)
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    staged = home / f"{_NEW}{name}@{_stamp(world, name)}"
    staged.mkdir(mode=0o700)
    return staged


def write(staged: Path, files: Mapping[str, bytes]) -> None:
    """Write a plugin's files, following no links, and its data folder, into an empty folder."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    for name, content in files.items():
        *above, last = name.split("/")
        with no_symlinks.opened(staged, above, make=True) as folder:
            handle = os.open(last, flags, 0o600, dir_fd=folder)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
    (staged / pins.OWN).mkdir(mode=0o700)
    _sync(staged)


def _sync(folder: Path) -> None:
    """Sync a folder with all its files to disk."""
    for where, _folders, files, here in os.fwalk(folder):
        for name in files:
            handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=here)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
        sync_folder(Path(where))


def _stamp(world: World, name: str) -> str:
    """Return a name for a backup that no earlier one has."""
    at, taken = f"{world.now:%Y%m%dT%H%M%S}", {path.name for path in _list_backups(world, name)}
    return next(one for number in range(1000) if (one := f"{at}-{number:03}") not in taken)


def _keep_row(world: World, row: Row | None, name: str, stamped: str) -> Path:
    """Store the row of the version that is being replaced."""
    kept = _locate_backups(world, name) / stamped
    if row is None:
        kept.mkdir(parents=True, exist_ok=True, mode=0o700)
        return kept
    plain = {**dataclasses.asdict(row), "installed_at": stamp(row.installed_at), "changed_at": stamp(row.changed_at)}
    write_text(kept / _ROW, json.dumps(plain, indent=1))
    return kept


def _read_row(path: Path) -> Row | None:
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
        allowed = plain["permissions"]
        may = json_values.build(Permissions, {**allowed, "network": tuple(allowed["network"])})
        when: dict[str, datetime] = {one: parse(plain[one]) for one in ("installed_at", "changed_at")}
        return json_values.build(Row, {**plain, **when, "permissions": may})
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _home(world: World) -> Path:
    return world.home / FOLDER


def _locate_backups(world: World, name: str) -> Path:
    return world.home / "backups" / FOLDER / name


def _list_backups(world: World, name: str) -> list[Path]:
    folder = _locate_backups(world, name)
    return list(folder.iterdir()) if folder.is_dir() else []
