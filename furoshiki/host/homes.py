"""The homes of one machine: list, add, adopt, pause, remove and export them.

A home is a complete data directory below `$FUROSHIKI_HOMES`. The folder `.host` next to them holds
what is shared: settings (`.env`: keys of models), paused homes (`homes.json`), logs, and the last
backups of removed homes.
"""

import difflib
import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from furoshiki.core import atomic_files
from furoshiki.core.atomic_files import hold, locked
from furoshiki.core.errors import AlreadyRunning, FuroshikiError
from furoshiki.core.paths import DATABASE, HOST, is_home_name
from furoshiki.core.process import trees
from furoshiki.core.timestamps import parse, stamp
from furoshiki.host import deferred_updates
from furoshiki.maintenance import backup, upgrading
from furoshiki.maintenance.backup import Backup
from furoshiki.recall.retrieval.client import Vectors, VectorsAway
from furoshiki.recall.retrieval.memoryd import tenants

_NOTES = "homes.json"
REMOVED = "removed"  # the folder in `.host` for the last backups of removed homes

# the lock in `run/` of a home, held by the host that has it open: two must never answer for it
LOCK = "host.lock"

INDEX_LOCK = "chroma.lock"
# locks in `run/` that a process of a home holds while it runs
RUNNING = (LOCK, "mind.lock", "brain.lock", INDEX_LOCK, "up.lock")

_GOING = ".removing-"

PATIENCE_SECONDS = 3.0  # seconds that memoryd may take to end


class NoSuchHome(FuroshikiError):
    """There is no home of that name: `furoshiki host list` shows which there are."""


class BadName(FuroshikiError):
    """What a home cannot be called, and what it could."""

    exit_code = 2


class HomeRuns(AlreadyRunning):
    """A process of the home runs, and would lose what is taken from under it."""


@dataclass(frozen=True)
class Home:
    """A companion of this host: name, data directory, and since when it is paused (None: not)."""

    name: str
    data: Path
    paused_at: datetime | None = None

    @property
    def database(self) -> Path:
        """The home's database file."""
        return self.data / DATABASE


def every(root: Path) -> list[Home]:
    """Return all homes of a host, by name."""
    notes = _notes(root)
    folders = sorted(path for path in root.iterdir() if _is_home(path)) if root.is_dir() else []
    return [_home(path, notes) for path in folders]


def get_home(root: Path, name: str) -> Home:
    """Return the home of that name. Raises NoSuchHome, suggesting the nearest name."""
    path = root / name
    if is_home_name(name) and _is_home(path):
        return _home(path, _notes(root))

    near = difflib.get_close_matches(name, [home.name for home in every(root)], 1, 0.5)
    hint = f"did you mean {near[0]!r}?" if near else "`furoshiki host list` shows which there are"
    raise NoSuchHome(f"there is no home {name!r} in {root}; {hint}")


def add(root: Path, name: str, now: datetime, env: str = "") -> Home:
    """Create a home: a data directory with its database and `env` as its `.env`. Raises BadName."""
    path = _free(root, name)
    with _lock_homes(root):
        made = root / f".making-{name}"
        trees.remove(made, ignore_errors=True)
        for folder in ("memory", "config", "logs", "run", "backups"):
            (made / folder).mkdir(parents=True, mode=0o700)
        made.chmod(0o700)
        if env:
            atomic_files.write_text(made / ".env", env)
            (made / ".env").chmod(0o600)
        upgrading.ensure(made, made / DATABASE, lambda: now)
        made.rename(path)
    return get_home(root, name)


def adopt(root: Path, source: Path, name: str) -> Home:
    """Move a data directory that ran alone into the host, when none of its processes runs.

    Raises BadName, HomeRuns, FuroshikiError (not a data directory, or on another disk).
    """
    path = _free(root, name)
    if not _is_home(source):
        raise FuroshikiError(f"{source} is no data directory: {DATABASE} is not in it")
    with _lock_homes(root), _still(source, name):
        try:
            source.rename(path)
        except OSError as error:
            raise FuroshikiError(
                f"{source} cannot be moved to {path} ({error.strerror}): copy it beside the homes first, whole and "
                "while nothing of it runs, and adopt the copy"
            ) from error
    return get_home(root, name)


def pause(root: Path, name: str, now: datetime) -> bool:
    """Pause a home: nothing of it runs until it is resumed. False when it is paused already."""
    return _note(root, name, {"paused_at": stamp(now)}, lambda known: "paused_at" not in known)


def resume(root: Path, name: str) -> bool:
    """Resume a home; False when it is not paused."""
    return _note(root, name, {"paused_at": None}, lambda known: "paused_at" in known)


def remove(root: Path, name: str, now: datetime, keys: Sequence[str] = ()) -> Backup:
    """Delete a home for good, after a verified backup that stays in `.host/removed`.

    If this is interrupted, either the home or its verified backup exists. Raises NoSuchHome,
    HomeRuns.
    """
    home = get_home(root, name)
    with _lock_homes(root), _still(home.data, name):
        kept = backup.make(home.data, home.database, root / HOST / REMOVED / name, now, keys)
        deferred_updates.leave(root, name, kept.path.with_name(f"{kept.path.name.partition('.')[0]}-not-delivered"))
        tenants.leave(root / HOST, home.data)
        going = root / f"{_GOING}{name}"
        trees.remove(going, ignore_errors=True)
        home.data.rename(going)
        _write(root, {other: known for other, known in _notes(root).items() if other != name})
        trees.remove(going)
    return kept


def export(home: Home, folder: Path, now: datetime, keys: Sequence[str] = ()) -> Backup:
    """Write a verified backup of a home into `folder`; it can be restored anywhere."""
    return backup.make(home.data, home.database, folder, now, keys)


def runs(home: Home) -> bool:
    """Return whether a process of the home runs; memoryd (started on demand) does not count."""
    return any(_is_held(home.data / "run" / lock) for lock in RUNNING if lock != INDEX_LOCK)


def _is_home(path: Path) -> bool:
    return not path.name.startswith(".") and (path / DATABASE).is_file()


def _home(path: Path, notes: dict[str, dict[str, Any]]) -> Home:
    paused = notes.get(path.name, {}).get("paused_at")
    return Home(path.name, path, parse(paused) if paused else None)


def _free(root: Path, name: str) -> Path:
    if not is_home_name(name):
        raise BadName(
            f"{name!r} cannot be the name of a home: up to 32 small letters, digits and hyphens, as in anna or anna-2"
        )
    if (root / name).exists():
        raise BadName(f"there is something called {name!r} in {root} already: choose another name")
    return root / name


@contextmanager
def _lock_homes(root: Path) -> Iterator[None]:
    """Serialize changes of the homes. Creates the folder of homes, for its owner alone."""
    own = root / HOST
    own.mkdir(parents=True, exist_ok=True, mode=0o700)
    root.chmod(0o700)
    with locked(own / ".homes.lock"):
        yield


@contextmanager
def _still(data: Path, name: str) -> Iterator[None]:
    """Keep all processes of a home from running while this lasts. Raises HomeRuns."""
    with ExitStack() as held:
        (data / "run").mkdir(exist_ok=True, mode=0o700)
        with suppress(VectorsAway):
            Vectors(data).stop()  # the shared memoryd lets go by itself, but not at once
        for lock in RUNNING:
            handle = _wait_for_lock(data / "run" / lock)
            if handle is None:
                raise HomeRuns(
                    f"{name} is running ({lock} is held): stop it first (`furoshiki host pause {name}`, or its service)"
                )
            held.callback(os.close, handle)
        yield


def _wait_for_lock(lock: Path) -> int | None:
    """Take a lock, waiting as long as a process takes to end; None when it stays held."""
    until = time.monotonic() + PATIENCE_SECONDS
    while (handle := hold(lock)) is None and time.monotonic() < until:
        time.sleep(0.05)
    return handle


def _is_held(lock: Path) -> bool:
    if not lock.exists():
        return False
    handle = hold(lock)
    if handle is None:
        return True
    os.close(handle)
    return False


def _notes(root: Path) -> dict[str, dict[str, Any]]:
    path = root / HOST / _NOTES
    if not path.is_file():
        return {}
    try:
        found: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
        for name, known in found.items():
            if not isinstance(known, dict) and not (root / name).is_dir():
                continue  # another release's note: it stays
            if known.get("paused_at"):
                parse(known["paused_at"])
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise FuroshikiError(
            f"{path} cannot be used ({error}): mend it, or remove it and pause again who is to rest"
        ) from error
    return found


def _note(root: Path, name: str, change: dict[str, Any], when: Any) -> bool:
    get_home(root, name)
    with _lock_homes(root):
        notes = _notes(root)
        known = notes.get(name, {})
        if not when(known):
            return False
        notes[name] = {key: value for key, value in {**known, **change}.items() if value is not None}
        _write(root, notes)
    return True


def _write(root: Path, notes: dict[str, dict[str, Any]]) -> None:
    atomic_files.write_text(root / HOST / _NOTES, json.dumps(notes, indent=2, sort_keys=True) + "\n")
