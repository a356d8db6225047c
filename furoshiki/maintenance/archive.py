"""The backup file: all of the companion's data except vectors, with a manifest of hashes.

Secrets (`.env`) are left out unless requested, as backups are copied to other disks and machines.
Vectors are computed again from the texts.
"""

import contextlib
import errno
import hashlib
import io
import json
import logging
import os
import shutil
import stat
import tarfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import IO, Any

from furoshiki.core import no_symlinks
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.paths import DATABASE
from furoshiki.core.process import trees
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import parse, stamp

log = logging.getLogger(__name__)

FORMAT = 1
MANIFEST = "manifest.json"

SECRETS = ".env"  # the file with tokens and keys, included in encrypted backups on request

# the saved folders of the data directory; the database is saved under its default name
FOLDERS = ("memory", "config", "plugins", "drafts", "proposals")

# prefixes of names in memory/ that are not copied: the index, the live database and its side files,
# other people's places (saved separately), locks and drafts
_LEFT_OUT_OF_MEMORY = ("chroma", "longmemory.sqlite", "people", ".")

# maximum path length in bytes of a plugin's data file, so that it can be restored anywhere
LONGEST_NAME = 500

_BLOCK = 1024 * 1024
_MOST_MANIFEST_BYTES = 64 * 1024 * 1024


class BackupUnusable(FuroshikiError):
    """This file cannot be restored from: the message says why. Take another one."""


@dataclass(frozen=True)
class Manifest:
    """The content of a backup: creation time, schema, and each file's SHA-256 and size in bytes."""

    made_at: datetime
    schema: str
    files: Mapping[str, tuple[str, int]]

    def as_json(self) -> str:
        files = {name: {"sha256": digest, "bytes": size} for name, (digest, size) in sorted(self.files.items())}
        found = {"format": FORMAT, "made_at": stamp(self.made_at), "schema": self.schema, "files": files}
        return json.dumps(found, indent=2, ensure_ascii=False)


def stage(data: Path, folder: Path, *, secrets: bool = False) -> None:
    """Copy the saved files, except the database, into an empty folder.
    Vanished files are left out; changing ones are copied in the old or new version, as they are
    replaced atomically. A plugin's files that are unreadable or badly named are left out with a
    warning: a plugin cannot prevent a backup."""
    for name, path in (*_list_files(data), *([(SECRETS, data / SECRETS)] if secrets else [])):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with contextlib.suppress(FileNotFoundError):
            if _of_a_plugin(PurePosixPath(name)):
                _copy_if_readable(path, target)
            else:
                shutil.copyfile(path, target)


def write(target: Path, folder: Path, schema: str, now: datetime) -> Manifest:
    """Write all files of a staged folder into `target`, and sync it to disk."""
    sources = {path.relative_to(folder).as_posix(): path for path in trees.files(folder) if path.is_file()}
    manifest = Manifest(now, schema, {name: _digest(path) for name, path in sources.items()})
    with target.open("wb") as file:
        target.chmod(0o600)
        with tarfile.open(fileobj=file, mode="w:gz", compresslevel=6) as tar:
            text = manifest.as_json().encode()
            tar.addfile(_entry(MANIFEST, len(text), now), io.BytesIO(text))
            for name, path in sources.items():
                with path.open("rb") as content:
                    tar.addfile(_entry(name, manifest.files[name][1], now), content)
                point("backup.file_added")
        file.flush()
        os.fsync(file.fileno())
    return manifest


def extract(archive: Path, folder: Path) -> Manifest:
    """Unpack a backup into an empty folder; every name, size and hash must match the manifest.
    Raises BackupUnusable."""
    try:
        with tarfile.open(archive, mode="r:gz") as tar:
            manifest = _manifest(tar)
            _enough_room(archive, folder, sum(size for _digest, size in manifest.files.values()))
            found = set()
            while (member := tar.next()) is not None:
                name = member.name
                if name not in manifest.files or not member.isfile() or name in found:
                    raise BackupUnusable(f"{archive} holds {name!r}, which its manifest does not name")
                digest, size = manifest.files[name]
                content = tar.extractfile(member)
                if content is None or member.size != size or _unpack(content, folder / name) != digest:
                    raise BackupUnusable(f"{archive} is damaged: {name} is not what was saved")
                found.add(name)
    except (tarfile.TarError, EOFError, OSError, ValueError, KeyError, TypeError) as error:
        raise BackupUnusable(f"{archive} cannot be read as a backup: {error}") from error
    missing = manifest.files.keys() - found
    if missing:
        raise BackupUnusable(f"{archive} is incomplete: {sorted(missing)[0]} is missing")
    return manifest


def _enough_room(archive: Path, folder: Path, needed: int) -> None:
    """Raise BackupUnusable without space for the files and, as much again, the upgrade."""
    free = shutil.disk_usage(folder).free
    if free < 2 * needed:
        room = f"{2 * needed / 1e6:,.0f} MB and {folder.parent} has {free / 1e6:,.0f} MB free"
        raise BackupUnusable(f"{archive} needs {room}: free some space")


def _manifest(tar: tarfile.TarFile) -> Manifest:
    first = tar.next()
    content = tar.extractfile(first) if first is not None and first.name == MANIFEST and first.isfile() else None
    if first is None or content is None or first.size > _MOST_MANIFEST_BYTES:
        raise BackupUnusable("this is not a Furoshiki backup: it does not begin with a manifest")
    found: dict[str, Any] = json.load(content)
    if found["format"] != FORMAT:
        raise BackupUnusable(f"this backup has format {found['format']}; this Furoshiki knows {FORMAT}: update it")
    files = {str(name): (str(file["sha256"]), int(file["bytes"])) for name, file in found["files"].items()}
    for name in files:
        path = PurePosixPath(name)
        ours = path.parts[:1] in {(folder,) for folder in FOLDERS} or name == SECRETS
        if path.is_absolute() or ".." in path.parts or not ours:
            raise BackupUnusable(f"this backup names {name!r}, which is not a place where Furoshiki keeps a file")
    if DATABASE.as_posix() not in files:
        raise BackupUnusable("this backup holds no database")
    return Manifest(parse(found["made_at"]), str(found["schema"]), files)


def _list_files(data: Path) -> Iterator[tuple[str, Path]]:
    """Yield the saved files of the data directory by their archive names, following no links."""
    for folder in FOLDERS:
        for here, folders, names in trees.walk(data / folder):
            top = here == data / "memory"
            folders[:] = sorted(name for name in folders if not (top and name.startswith(_LEFT_OUT_OF_MEMORY)))
            if _of_a_plugin(PurePosixPath(here.relative_to(data), "-")):
                folders[:], names = _nameable(data, here, folders), _nameable(data, here, names)
            for name in sorted(names):
                path = here / name
                if _is_file(path) and not (top and name.startswith(_LEFT_OUT_OF_MEMORY)):
                    yield path.relative_to(data).as_posix(), path


def _is_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except (FileNotFoundError, PermissionError):  # deleted, or in an unreadable folder
        return False


def _of_a_plugin(name: PurePosixPath) -> bool:
    """Return whether a file is in a plugin's data folder."""
    return len(name.parts) > 3 and (name.parts[0], name.parts[2]) == ("plugins", "data")


def _nameable(data: Path, here: Path, names: Iterable[str]) -> list[str]:
    """Return the names whose path is UTF-8 and not too long; log the others."""
    found = []
    for name in sorted(names):
        raw = os.fsencode(here.relative_to(data) / name)
        try:
            fits = len(raw) <= LONGEST_NAME and bool(raw.decode())
        except UnicodeDecodeError:
            fits = False
        if fits:
            found.append(name)
        else:
            log.warning("a backup leaves out %r: its name is not UTF-8, or too long", raw[:LONGEST_NAME])
    return found


def _copy_if_readable(path: Path, target: Path) -> None:
    """Copy a plugin's file; an unreadable one is logged. Raises FileNotFoundError and OSError."""
    try:
        source = no_symlinks.open_file(path)
    except FileNotFoundError:
        raise
    except OSError as error:
        log.warning(
            "a backup leaves out %s: it cannot be read (%s)", path, errno.errorcode.get(error.errno or 0, error)
        )
        return
    with source, target.open("wb") as copy:
        shutil.copyfileobj(source, copy, _BLOCK)


def _entry(name: str, size: int, now: datetime) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mtime, entry.mode = size, int(now.timestamp()), 0o600
    return entry


def _digest(path: Path) -> tuple[str, int]:
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
            size += len(block)
    return digest.hexdigest(), size


def _unpack(content: IO[bytes], target: Path) -> str:
    """Write an archive member to disk with fsync; returns its SHA-256."""
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    digest = hashlib.sha256()
    with target.open("xb") as file:
        target.chmod(0o600)
        while block := content.read(_BLOCK):
            digest.update(block)
            file.write(block)
        file.flush()
        os.fsync(file.fileno())
    return digest.hexdigest()
