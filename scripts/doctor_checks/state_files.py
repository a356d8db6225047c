"""The two state files. An unreadable one is renamed; the program rebuilds it from the database."""

import contextlib
import fcntl
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

from doctor_checks.findings import Finding, mended, well, wrong
from doctor_checks.look import Look

# the files, with the locks for changing them
LOCKS = {"heartbeat-state.json": ".heartbeat.lock", "session-context.json": ".context.lock"}

WAIT_SECONDS = 0.5


def check(look: Look) -> Iterator[Finding]:
    """Check that both are JSON objects."""
    bad = False
    for name, lock in LOCKS.items():
        path = look.place.data / "memory" / name
        fault = _fault(path)
        if fault is None:
            continue
        bad = True
        if fault == "unreadable":
            yield wrong(f"state.{name}", f"memory/{name} cannot be read", f"check who owns {path}")
            continue
        done = look.did("set aside", "set aside")
        if look.dry or _set_aside(look, path, path.with_name(lock)):
            words = f"{done} memory/{name}, which was damaged: it is made again from the database when it is next read"
            yield mended(f"state.{name}", words, comes_back=True, fix="check the disk's health (`dmesg | tail`)")
        else:
            yield wrong(f"state.{name}", f"memory/{name} is damaged and could not be set aside", f"move {path} away")
    if not bad:
        yield well("state", "the state files can be read")


def _fault(path: Path) -> str | None:
    """Return what is wrong with a file; None if it is valid or missing."""
    try:
        text = path.read_bytes().decode("utf-8")
        return None if isinstance(json.loads(text), dict) else "damaged"
    except FileNotFoundError:
        return None
    except OSError:
        return "unreadable"
    except (ValueError, RecursionError):
        return "damaged"


def _set_aside(look: Look, path: Path, lock: Path) -> bool:
    """Rename it under its lock, unless it was repaired; False if that is impossible now."""
    try:
        handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        return False
    try:
        until = time.monotonic() + WAIT_SECONDS
        while True:
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            if time.monotonic() > until:
                return False
            time.sleep(0.02)
        if _fault(path) == "damaged":
            path.rename(path.with_name(f"{path.name}.corrupt-{look.now:%Y%m%dT%H%M%S%f}"))
        return True
    except OSError:
        return False
    finally:
        os.close(handle)
