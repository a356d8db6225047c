"""Backups: the newest must be recent and intact, the oldest are deleted when space is short.

Each is read once and again every week. `verified.json` has the hash of each backup from when it was
made or read; without an entry, every file in it must have the hash in its manifest. An encrypted
one without an entry cannot be read without the owner's key, and is judged by its age.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import subprocess
import tarfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from doctor_checks import files
from doctor_checks.findings import Finding, mended, note, well, wrong
from doctor_checks.look import Look

OLD = timedelta(hours=48)
VERIFIED_FOR = timedelta(days=7)
# seconds for reading one backup in a check; a larger one was verified when it was made
VERIFY_SECONDS = 2.5

ASK_AGAIN = timedelta(hours=1)
# a requested backup that does not exist after this time has failed
TIME_TO_MAKE = timedelta(minutes=20)

FEWEST = 3  # newest backups that stay even when space is short, besides the newest verified one
NOTES = "verified.json"  # the file next to the backups with the hash of each when it was last read

_NAME = re.compile(r"furoshiki-(\d{8}T\d{6})Z\.tar\.gz(\.age)?")


@dataclass(frozen=True)
class Backup:
    """One backup file and when it was made."""

    path: Path
    made_at: datetime
    sealed: bool  # whether it is encrypted


class Unfinished(Exception):
    """There was not enough time to read it through."""


def all_of(look: Look) -> list[Backup]:
    """Return the backups, newest first."""
    found = []
    with contextlib.suppress(OSError):
        for path in look.place.backups.iterdir():
            name = _NAME.fullmatch(path.name)
            if name is not None:
                with contextlib.suppress(ValueError):
                    at = datetime.strptime(name[1], "%Y%m%dT%H%M%S").replace(tzinfo=UTC)
                    found.append(Backup(path, at, name[2] is not None))
    return sorted(found, key=lambda one: one.made_at, reverse=True)


def newest_good(look: Look) -> Path | None:
    """Return the newest verified backup, else the newest that is not known to be damaged."""
    found = all_of(look)
    known = {one.path: _known(look, one) for one in found}
    good = [one.path for one in found if known[one.path].get("ok") is True]
    unknown = [one.path for one in found if known[one.path].get("ok") is not False]
    return next(iter(good or unknown), None)


def check(look: Look) -> Iterator[Finding]:
    """Check that the newest is recent and intact; else start a new one."""
    known_since = look.notebook.page.setdefault("known_since", files.stamp(look.now))
    if not look.place.database.exists():
        yield note("backups", "there is nothing to back up yet")
        return
    found = all_of(look)
    newest = found[0] if found else None
    fault = None if newest is None else _fault(look, newest)
    age = look.now - (newest.made_at if newest is not None else files.moment(known_since) or look.now)
    if newest is None and age <= OLD:
        yield note("backups", "there is no backup yet; the first is made at night")
        return
    if fault is None and age <= OLD:
        name = newest.path.name if newest is not None else ""
        yield well("backups", f"the newest backup is {_hours(age)} old ({name})")
        return
    why = f"the newest backup ({newest.path.name}) {fault}" if newest and fault else _too_old(newest, age)
    yield _ask(look, why)


def make_room(look: Look) -> list[str]:
    """Delete backups beyond the minimum; say what was done."""
    found = all_of(look)
    whole = next((one for one in found if _known(look, one).get("ok") is True), None)
    gone = [one for one in found[FEWEST:] if one != whole]
    size = 0
    for one in gone:
        with contextlib.suppress(OSError):
            size += one.path.stat().st_size
            if not look.dry:
                one.path.unlink()
    return [f"{look.did('removed', 'remove')} {len(gone)} old backups ({files.megabytes(size)})"] if gone else []


def read_through(path: Path, until: float) -> str | None:
    """Return what is wrong with a backup, or None. Raises Unfinished after `until` (monotonic)."""
    try:
        with tarfile.open(path, "r:gz") as tar:
            first = tar.next()
            content = tar.extractfile(first) if first is not None and first.name == "manifest.json" else None
            if content is None:
                return "is no backup: it does not begin with a manifest"
            named = {name: str(about["sha256"]) for name, about in json.loads(content.read())["files"].items()}
            while (member := tar.next()) is not None:
                held = tar.extractfile(member)
                if held is None or _digest(held, until) != named.pop(member.name, None):
                    return f"is damaged: {member.name} is not what was saved"
            return f"is incomplete: {sorted(named)[0]} is missing" if named else None
    except (tarfile.TarError, EOFError, OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        return f"cannot be read: {type(error).__name__}"


def _read(one: Backup, until: float) -> str | None:
    """Return what is wrong, by its recorded hash or its manifest. Raises Unfinished, OSError."""
    noted = files.object_of(one.path.parent / NOTES).get(one.path.name)
    if not (isinstance(noted, dict) and isinstance(noted.get("sha256"), str)):
        return None if one.sealed else read_through(one.path, until)
    if noted.get("ok") is False:
        return "was found damaged when it was read back"
    with one.path.open("rb") as file:
        return None if _digest(file, until) == noted["sha256"] else "is damaged: it has changed since it was verified"


def _digest(held: Any, until: float) -> str:
    digest = hashlib.sha256()
    while block := held.read(1 << 18):
        digest.update(block)
        if time.monotonic() > until:
            raise Unfinished
    return digest.hexdigest()


def _fault(look: Look, one: Backup) -> str | None:
    """Return what is wrong, as recorded or by reading it now."""
    known = _known(look, one)
    at = files.moment(known.get("at"))
    if isinstance(known.get("ok"), bool) and at is not None and timedelta() <= look.now - at < VERIFIED_FOR:
        return None if known["ok"] else str(known.get("fault"))
    try:
        fault = _read(one, time.monotonic() + min(VERIFY_SECONDS, look.left()))
        about = one.path.stat()
    except (Unfinished, OSError):
        return None
    page = look.notebook.part("backups")
    for name in [name for name in page if not (look.place.backups / name).exists()]:
        del page[name]
    page[one.path.name] = {
        "bytes": about.st_size,
        "changed": about.st_mtime,
        "ok": fault is None,
        "fault": fault,
        "at": files.stamp(look.now),
    }
    return fault


def _known(look: Look, one: Backup) -> dict[str, Any]:
    """Return the record about this very file."""
    found = look.notebook.part("backups").get(one.path.name)
    try:
        about = one.path.stat()
    except OSError:
        return {}
    same = isinstance(found, dict) and (found.get("bytes"), found.get("changed")) == (about.st_size, about.st_mtime)
    return found if isinstance(found, dict) and same else {}


def _too_old(newest: Backup | None, age: timedelta) -> str:
    return "there is no backup" if newest is None else f"the newest backup is {_hours(age)} old"


def _ask(look: Look, why: str) -> Finding:
    """Start a backup, unless one was started recently."""
    asked = files.moment(look.notebook.page.get("backup_asked_at"))
    ago = None if asked is None else look.now - asked
    fix = "`furoshiki backup` says why it fails"
    if ago is not None and timedelta() <= ago < TIME_TO_MAKE:
        return note("backups", f"{why}; one is being made")
    failed = ago is not None and TIME_TO_MAKE <= ago < timedelta(days=2)
    if look.sound and not (failed and ago is not None and ago < ASK_AGAIN):
        look.notebook.page["backup_asked_at"] = files.stamp(look.now)
        if not (look.dry or _started(look)):
            return wrong("backups", f"{why}, and none could be made: {look.place.python} does not start", fix)
        if not failed:
            return mended("backups", f"{why}: {look.did('began to make one', 'make one')}")
    if not look.sound:
        return wrong("backups", f"{why}, and none is made of a database that is not known to be whole", fix)
    return wrong("backups", f"{why}, and making one failed", fix)


def _started(look: Look) -> bool:
    """Start the backup in the background: it takes longer than a check may."""
    place = look.place
    command = [str(place.python), "-P", str(place.checkout / "scripts" / "backup.py"), "--json"]
    environ = {**place.environ, "FUROSHIKI_DATA": str(place.data)}
    if not os.access(place.python, os.X_OK):
        return False
    if environ.get("INVOCATION_ID") and _as_a_unit(environ, command):
        return True
    try:
        subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environ,
            start_new_session=True,
        )
    except OSError:
        return False
    return True


def _as_a_unit(environ: dict[str, str], command: list[str]) -> bool:
    """Start it as its own systemd unit: a child of a service would end with the service."""
    ours = [f"--setenv={name}={value}" for name, value in environ.items() if name.startswith("FUROSHIKI_")]
    try:
        done = subprocess.run(
            ["systemd-run", "--user", "--collect", "--quiet", *ours, *command],
            env=environ,
            capture_output=True,
            timeout=2.0,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def _hours(age: timedelta) -> str:
    hours = age.total_seconds() / 3600
    return f"{hours / 24:.0f} days" if hours >= 72 else f"{max(0.0, hours):.0f} hours"
