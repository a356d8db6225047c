"""The homes of a host: each is checked in its own process, which alerts its owner as usual.

The operator learns only the kind of trouble: the words of a finding may be private (an error that
quotes a text, a plugin's name).
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from doctor_checks import files
from doctor_checks import main as one_home
from doctor_checks.findings import Finding, mended, note, well, wrong
from doctor_checks.look import Look

# seconds for the check of a home, which aims at ten; a longer one hangs and is abandoned
SECONDS = 12.0

# a healthy home is checked again after this time even without changes
AT_LEAST_EVERY = timedelta(hours=6)

# the subject of a finding, by the first word of its key
KINDS = {
    "clock": "the machine's clock",
    "disk": "room on its disk",
    "database": "its database",
    "service": "a process of its own",
    "dashboard": "its dashboard",
    "soul": "its soul engine",
    "settings": "a file of its settings",
    "state": "a file of its state",
    "secrets": "who can read its keys",
    "certificates": "a certificate",
    "logs": "its logs",
    "rows": "messages that wait or cannot be delivered",
    "index": "its memory index",
    "backups": "its backups",
    "usage": "memory or CPU that it uses",
    "doctor": "a look that could not be finished",
}


@dataclass(frozen=True)
class Home:
    """A home, and whether it is paused: then it is not checked."""

    name: str
    data: Path
    rests: bool


def every(root: Path) -> list[Home]:
    """Return the homes of a host, by name. If the notes are unreadable, none counts as paused."""
    notes = files.object_of(root / ".host" / "homes.json")

    def rests(name: str) -> bool:
        known = notes.get(name)
        return isinstance(known, dict) and bool(known.get("paused_at"))

    try:
        folders = sorted(path for path in root.iterdir() if not path.name.startswith("."))
    except OSError:
        return []
    homes = [path for path in folders if (path / "memory" / "longmemory.sqlite").exists()]
    return [Home(path.name, path, rests(path.name)) for path in homes]


def looked_at(look: Look, root: Path, only: Sequence[str] | None, seconds: float) -> list[Finding]:
    """Return a finding for each home: new for those checked now, else the last one."""
    kept = look.notebook.part("homes")
    found: list[Finding] = []
    known = every(root)
    for gone in kept.keys() - {home.name for home in known}:
        del kept[gone]
    for home in known:
        if home.rests:
            kept.pop(home.name, None)
            found.append(note(_key(home.name), f"{home.name}: rests"))
            continue
        last, seen = _last(kept.get(home.name)), _stamps(home.data)
        if only is None or (home.name in only and not _is_still(kept.get(home.name), seen, look.now)):
            last = _judged(home.name, _in_a_process(home.data, look, seconds))
            kept[home.name] = {"at": files.stamp(look.now), "seen": seen, **asdict(last)}
        if last is not None:
            found.append(last)
    return found


def _stamps(data: Path) -> list[list[int]]:
    """Return stamps that change when anything happens in a home."""
    rows = data / "memory" / "longmemory.sqlite"
    found = []
    for path in (rows, rows.with_name(f"{rows.name}-wal"), data / ".env", data / "memory" / "operator_settings.json"):
        with contextlib.suppress(OSError):
            about = path.stat()
            found.append([about.st_mtime_ns, about.st_size, about.st_ino])
    return found


def _is_still(kept: object, seen: list[list[int]], now: datetime) -> bool:
    """Return whether a home was healthy recently and has not changed since."""
    if not isinstance(kept, dict) or kept.get("state") != "well" or kept.get("seen") != seen:
        return False
    at = files.moment(kept.get("at"))
    return at is not None and timedelta() <= now - at < AT_LEAST_EVERY


def _judged(name: str, report: dict[str, Any] | None) -> Finding:
    """Return the operator's finding on a home; a report of None: the check did not end."""
    more = f"`furoshiki doctor --home {name}` says what to do"
    if report is None:
        return wrong(_key(name), f"{name}: the doctor does not come to an end there", more)
    if report.get("busy"):
        return note(_key(name), f"{name}: another doctor was looking")
    rows = [one for one in report.get("found", ()) if isinstance(one, dict)]
    if troubles := _kinds(one for one in rows if one.get("state") == "wrong"):
        untold = " (its owner could not be told)" if report.get("told") else ""
        return wrong(_key(name), f"{name}: trouble with {', '.join(troubles)}{untold}", more)
    if repaired := _kinds(one for one in rows if one.get("state") == "mended"):
        return mended(_key(name), f"{name}: mended {', '.join(repaired)}")
    return well(_key(name), f"{name}: well")


def _kinds(rows: Iterable[dict[str, Any]]) -> list[str]:
    kinds = dict.fromkeys(str(one.get("check", "")).partition(".")[0] for one in rows)
    return list(dict.fromkeys(KINDS.get(kind, "something else") for kind in kinds))


def _in_a_process(data: Path, look: Look, seconds: float) -> dict[str, Any] | None:
    """Return the doctor's report on a home, from a process: a hanging disk must not block
    others."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _child(data, look, writing)
    os.close(writing)
    try:
        text = _read(reading, time.monotonic() + seconds)
    finally:
        os.close(reading)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        _bury(child)
    try:
        report = json.loads(text.splitlines()[-1])
    except (ValueError, IndexError):
        return None
    return report if isinstance(report, dict) else None


def _child(data: Path, look: Look, writing: int) -> None:
    """Run the check as `doctor.py --data` does; never returns."""
    code = 2
    try:
        os.dup2(writing, 1)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", errors="replace", closefd=False)
        flags = [flag for flag, on in (("--dry-run", look.dry), ("--offline", look.offline)) if on]
        code = one_home.main(["--data", str(data), "--json", *flags])
        sys.stdout.flush()
    finally:
        os._exit(code)


def _read(pipe: int, until: float) -> str:
    found = b""
    while (left := until - time.monotonic()) > 0 and select.select([pipe], [], [], left)[0]:
        piece = os.read(pipe, 65536)
        if not piece:
            return found.decode("utf-8", "replace")
        found += piece
    return ""


def _bury(child: int) -> None:
    """Reap the child, but not one that a dead disk holds: it cannot be killed."""
    until = time.monotonic() + 1.0
    while os.waitpid(child, os.WNOHANG) == (0, 0) and time.monotonic() < until:
        time.sleep(0.01)


def _last(kept: object) -> Finding | None:
    """Return the last finding from the notebook, or None."""
    if not isinstance(kept, dict):
        return None
    try:
        return Finding(**{name: kept[name] for name in Finding.__dataclass_fields__})
    except KeyError:
        return None


def _key(name: str) -> str:
    return f"home.{name}"
