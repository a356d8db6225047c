"""What this machine lacks, with what would help. Nothing here stops anything, so nobody is called for it."""

from __future__ import annotations

import ctypes
import os
import platform
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from doctor_checks import files, services
from doctor_checks.findings import Finding, note, well
from doctor_checks.look import Look

ASKED_EVERY = timedelta(days=1)
"""How often programs are started to find out."""

MENDED_SINCE = (3, 51, 3)
BACKPORTED = ((3, 44, 6), (3, 50, 7))
FAULTY_SINCE = (3, 7, 0)

_LANDLOCK_CREATE = 444
"""The system call's number, on every processor we run on."""

_LANDLOCK_VERSION = 1
_ASK_VERSION = "import sqlite3; print(sqlite3.sqlite_version)"


def check(look: Look) -> Iterator[Finding]:
    """The SQLite the program uses, limits that are not kept, plugins that nothing holds."""
    kept = look.notebook.part("machine")
    asked = files.moment(kept.get("asked_at"))
    if asked is None or not timedelta() <= look.now - asked < ASKED_EVERY:
        kept.update(asked_at=files.stamp(look.now), sqlite=_sqlite_of(look), sandbox=_sandboxed())
    found = [*_sqlite(str(kept.get("sqlite") or "")), *_limits(look), *_plugins(look, kept.get("sandbox") is not False)]
    yield from found or [well("machine", "this machine has what the program needs")]


def faulty(version: str) -> bool:
    """Whether this SQLite can damage a database that two processes write and fold at the same moment."""
    numbers = tuple(int(part) for part in re.findall(r"\d+", version)[:3])
    if len(numbers) < 3 or not FAULTY_SINCE <= numbers < MENDED_SINCE:
        return False
    return not any(numbers[:2] == since[:2] and numbers >= since for since in BACKPORTED)


def _sqlite(version: str) -> Iterator[Finding]:
    if faulty(version):
        words = f"SQLite {version} has a fault that damages databases (WAL reset); the program works around it"
        fix = "nothing to do; a newer SQLite (3.51.3, 3.50.7, 3.44.6) does not need that: update the system some day"
        yield note("machine.sqlite", words, fix)


def _sqlite_of(look: Look) -> str:
    """The version that the program's own Python brings; the doctor's, where that cannot be asked."""
    try:
        done = subprocess.run(
            [str(look.place.python), "-I", "-S", "-c", _ASK_VERSION],
            capture_output=True,
            text=True,
            timeout=min(1.0, look.left()),
            check=False,
        )
        return done.stdout.strip() or sqlite3.sqlite_version
    except (OSError, subprocess.SubprocessError):
        return sqlite3.sqlite_version


def _limits(look: Look) -> Iterator[Finding]:
    """Whether the limits of our units are kept: a Raspberry Pi starts without the controller of memory."""
    uid = os.geteuid()
    path = Path(f"/sys/fs/cgroup/user.slice/user-{uid}.slice/user@{uid}.service/cgroup.controllers")
    text = files.text_of(path)
    if text is None or "memory" in text.split() or not services.installed_units(look):
        return
    fix = "on a Raspberry Pi: add `cgroup_enable=memory` to the line in /boot/firmware/cmdline.txt, and start it again"
    yield note("machine.cgroup", "the limits on memory of the services are not kept by this system", fix)


def _plugins(look: Look, sandboxed: bool) -> Iterator[Finding]:
    """Whether plugins, where there are any, can be held."""
    folder = look.place.data / "plugins"
    if sandboxed or not folder.is_dir() or not any(one.is_dir() for one in folder.iterdir()):
        return
    words = "nothing here can hold a plugin (no bubblewrap, no Landlock), so none is run"
    if (look.place.data / ".env").exists():
        words += ": it could read the keys in .env"
    yield note("machine.sandbox", words, "`sudo apt install bubblewrap`")


def _sandboxed() -> bool:
    """Whether bubblewrap works here for us, or the kernel has Landlock."""
    return _bubblewrap() or _landlock()


def _bubblewrap() -> bool:
    if shutil.which("bwrap") is None:
        return False
    try:
        command = ["bwrap", "--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "true"]
        return subprocess.run(command, capture_output=True, timeout=1.0, check=False).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False


def _landlock() -> bool:
    if platform.machine() not in ("x86_64", "aarch64"):
        return False
    call = ctypes.CDLL(None, use_errno=True).syscall
    return int(call(_LANDLOCK_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(_LANDLOCK_VERSION))) > 0
