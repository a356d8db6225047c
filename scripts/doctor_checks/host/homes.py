"""The homes of a host: the doctor looks at each in a process of its own, and its owner is told as ever.

What is handed on to the operator is which kind of trouble there is: the words of a finding may be somebody's (an error
that holds a text, the name of a plugin).
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

SECONDS = 12.0
"""A look at a home ends within ten; what takes longer hangs, and is left alone."""

AT_LEAST_EVERY = timedelta(hours=6)
"""A home that was well is looked at again after so long, though nothing has happened in it."""

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
"""What a finding is about, by the first word of its key."""


@dataclass(frozen=True)
class Home:
    """A home, and whether it rests: then nobody looks, because what it lacks nobody is to bring."""

    name: str
    data: Path
    rests: bool


def every(root: Path) -> list[Home]:
    """The homes of a host, by name. Notes that cannot be read say of nobody that they rest."""
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
    """A finding for each home: those that are looked at now, and of the others what was found last."""
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
    """What changes when anything happens in a home."""
    rows = data / "memory" / "longmemory.sqlite"
    found = []
    for path in (rows, rows.with_name(f"{rows.name}-wal"), data / ".env", data / "memory" / "operator_settings.json"):
        with contextlib.suppress(OSError):
            about = path.stat()
            found.append([about.st_mtime_ns, about.st_size, about.st_ino])
    return found


def _is_still(kept: object, seen: list[list[int]], now: datetime) -> bool:
    """Whether a home was well and nothing has happened in it since, not too long ago."""
    if not isinstance(kept, dict) or kept.get("state") != "well" or kept.get("seen") != seen:
        return False
    at = files.moment(kept.get("at"))
    return at is not None and timedelta() <= now - at < AT_LEAST_EVERY


def _judged(name: str, report: dict[str, Any] | None) -> Finding:
    """What the operator is told of a look at a home; None: it did not come to an end."""
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
    """What the doctor reports of a home. A process of its own, because a disk that hangs must hold up nobody else."""
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
    """Look, as `doctor.py --data` does; never returns."""
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
    """One that a dead disk holds cannot even be killed: it is not waited for."""
    until = time.monotonic() + 1.0
    while os.waitpid(child, os.WNOHANG) == (0, 0) and time.monotonic() < until:
        time.sleep(0.01)


def _last(kept: object) -> Finding | None:
    """What was found last, as it was written down."""
    if not isinstance(kept, dict):
        return None
    try:
        return Finding(**{name: kept[name] for name in Finding.__dataclass_fields__})
    except KeyError:
        return None


def _key(name: str) -> str:
    return f"home.{name}"
