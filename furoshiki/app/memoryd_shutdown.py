"""Ends memoryd with the processes that need it: it detaches itself from its parent, and a service
manager would kill it with its unit."""

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

from furoshiki.core.atomic_files import locked
from furoshiki.core.paths import HOST, environ, host_of

FAREWELL_S = 5.0  # seconds that an ending process waits for the memoryd of its unit


@contextlib.contextmanager
def main_process_of_unit(data: Path) -> Iterator[None]:
    """Wrap a service unit's main process; afterwards end its memoryd, and wait for it."""
    try:
        yield
    finally:
        run = (host_of(data) or data) / "run"
        if "INVOCATION_ID" in environ() and (unit := _unit_of("self")) is not None and unit == _unit_of(_pid(run)):
            end(run, FAREWELL_S)


def end(run: Path, seconds: float, kill: bool = False) -> None:
    """Ask the memoryd of this `run` folder to end, and wait; `kill` it if it has not ended then.

    Its file `memoryd.alive` contains the process id, valid while its lock is held.
    """
    lock = run / ("memoryd.lock" if run.parent.name == HOST else "chroma.lock")
    for number in (signal.SIGTERM, signal.SIGKILL) if kill else (signal.SIGTERM,):
        if _is_free(lock):
            return
        with contextlib.suppress(OSError, ValueError):
            os.kill(int(_pid(run)), number)
        until = time.monotonic() + seconds
        while time.monotonic() < until and not _is_free(lock):
            time.sleep(0.02)


def _pid(run: Path) -> str:
    """Return the process id, or ""."""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        return (run / "memoryd.alive").read_text(encoding="ascii").strip()
    return ""


def _unit_of(pid: str) -> str | None:
    """Return the control group of a process; None if it cannot be read."""
    with contextlib.suppress(OSError):
        return Path("/proc", pid or "none", "cgroup").read_text(encoding="ascii", errors="replace")
    return None


def _is_free(lock: Path) -> bool:
    if not lock.exists():
        return True
    with locked(lock, wait=False) as free:
        return free
