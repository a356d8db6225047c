"""Shortcomings of this machine, with advice. None of them is critical, so nobody is alerted."""

import json
import os
import re
import sqlite3
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from doctor_checks import database, files, services
from doctor_checks.findings import Finding, note, well
from doctor_checks.look import Look

ASKED_EVERY = timedelta(days=1)  # how often programs are run to find out

MENDED_SINCE = (3, 51, 3)
BACKPORTED = ((3, 44, 6), (3, 50, 7))
FAULTY_SINCE = (3, 7, 0)

OS_RELEASE = Path("/etc/os-release")
# how each family of systems installs it
INSTALLED_BY: tuple[tuple[set[str], str], ...] = (
    ({"debian", "raspbian", "ubuntu"}, "`sudo apt install bubblewrap`"),
    ({"fedora", "rhel", "centos"}, "`sudo dnf install bubblewrap`"),
    ({"arch"}, "`sudo pacman -S bubblewrap`"),
    ({"suse", "opensuse"}, "`sudo zypper install bubblewrap`"),
    ({"alpine"}, "`doas apk add bubblewrap`"),
)

_ASK_VERSION = "import sqlite3; print(sqlite3.sqlite_version)"


def check(look: Look) -> Iterator[Finding]:
    """Check SQLite's version, ineffective limits, and plugins without a sandbox."""
    kept = look.notebook.part("machine")
    asked = files.moment(kept.get("asked_at"))
    if asked is None or not timedelta() <= look.now - asked < ASKED_EVERY:
        kept.update(asked_at=files.stamp(look.now), sqlite=_sqlite_of(look))
    found = [*_sqlite(str(kept.get("sqlite") or "")), *_limits(look), *_plugins(look)]
    yield from found or [well("machine", "this machine has what the program needs")]


def faulty(version: str) -> bool:
    """Return whether this SQLite can damage a database during concurrent writes and checkpoints."""
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
    """Return the version in the program's Python, or else in the doctor's."""
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
    """Check that our units' limits work: a Raspberry Pi boots without the memory controller."""
    uid = os.geteuid()
    path = Path(f"/sys/fs/cgroup/user.slice/user-{uid}.slice/user@{uid}.service/cgroup.controllers")
    text = files.text_of(path)
    if text is None or "memory" in text.split() or not services.installed_units(look):
        return
    fix = "on a Raspberry Pi: add `cgroup_enable=memory` to the line in /boot/firmware/cmdline.txt, and start it again"
    yield note("machine.cgroup", "the limits on memory of the services are not kept by this system", fix)


def _plugins(look: Look) -> Iterator[Finding]:
    """Check that enabled plugins can be sandboxed; once a day, and only if there are any."""
    kept = look.notebook.part("sandbox")
    if not _any_enabled(look):
        kept.clear()
        return
    asked = files.moment(kept.get("asked_at"))
    if asked is None or not timedelta() <= look.now - asked < ASKED_EVERY:
        kept.update(asked_at=files.stamp(look.now), why=_not_held(look))
    if why := str(kept.get("why") or ""):
        yield note("machine.sandbox", f"no plugin is run, because nothing here can hold one ({why})", _fix(why))


def _any_enabled(look: Look) -> bool:
    """Return whether a plugin is enabled; False if the database is unreadable or has no plugins."""
    try:
        with database.reading(look.place.database) as db:
            return db.execute("SELECT 1 FROM plugins WHERE state = 'enabled' LIMIT 1").fetchone() is not None
    except (database.Damaged, database.Unreadable, sqlite3.Error, OSError):
        return False


def _not_held(look: Look) -> str:
    """Return why the program cannot sandbox a plugin; "" if it can, or cannot be asked."""
    wanted = look.place.settings.get("FUROSHIKI_PLUGIN_SANDBOX", "auto")
    try:
        done = subprocess.run(
            [str(look.place.python), "-m", "furoshiki.extensions.plugins.sandbox.probing", wanted],
            cwd=look.place.checkout,
            capture_output=True,
            text=True,
            timeout=look.left(),
            check=False,
        )
        found = json.loads(done.stdout)
        return "" if found["backend"] else str(found["why"])
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError):
        return ""


def _fix(why: str) -> str:
    """Return the fix: this system's way to install bubblewrap, or to allow namespaces."""
    if "bubblewrap is not installed" in why:
        about = files.text_of(OS_RELEASE) or ""
        system = set(re.findall(r"[a-z]+", " ".join(re.findall(r"^ID(?:_LIKE)?=(.*)$", about, re.MULTILINE))))
        known = next((command for names, command in INSTALLED_BY if system & names), "with your system's packages")
        return f"install bubblewrap: {known}; the doctor looks again tomorrow"
    if "namespaces" in why:
        return (
            "Ubuntu since 23.10: `sudo apt install apparmor-profiles` and load its "
            "bwrap-userns-restrict, or `sudo sysctl "
            "kernel.apparmor_restrict_unprivileged_userns=0`"
        )
    return "install bubblewrap, or start a kernel of 6.2 or newer with Landlock"
