"""Runs one script in its own process: nice, with time limit, bounded output and measured cost."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from furoshiki.app.scheduler.schedule_file import Entry

KEPT_BYTES = 16 * 1024  # bytes kept from the end of a script's output; the rest is read and dropped
POLITE_SECONDS = 5.0  # seconds between SIGTERM and SIGKILL
NICENESS = 10  # added to our own niceness: scripts yield to the process that talks with a person


# variables from a service manager that are only for its own child
_OURS_ALONE = ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID")


@dataclass(frozen=True)
class Finished:
    """The end of a script: exit code (negative: signal), CPU seconds and peak memory in MB
    including children, the end of its output, and whether it exceeded its time limit."""

    exit_code: int
    cpu_s: float
    peak_mb: float
    output: str
    timed_out: bool


class Child:
    """A started script."""

    def __init__(self, entry: Entry, data: Path, python: str, environ: Mapping[str, str]) -> None:
        """Start the script of a job for a data directory. Raises OSError."""
        ours = {key: value for key, value in environ.items() if key not in _OURS_ALONE}
        self.process = subprocess.Popen(
            [python, "-P", str(entry.script), *entry.args, "--json"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**ours, "FUROSHIKI_DATA": str(data)},
            cwd=data,
            start_new_session=True,
        )
        self.pid = self.process.pid
        assert self.process.stdout is not None
        self._pipe = self.process.stdout
        os.set_blocking(self._pipe.fileno(), False)
        self._pidfd = os.pidfd_open(self.pid)
        self._tail, self._silent = b"", False
        self._deadline = time.monotonic() + entry.timeout_s
        self._kill_at: float | None = None
        self._timed_out = False
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, self.pid, min(19, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS))

    @property
    def watched(self) -> tuple[int, ...]:
        """The file descriptors to wait on: the process, and its output while open."""
        return (self._pidfd,) if self._silent else (self._pidfd, self._pipe.fileno())

    @property
    def next_check(self) -> float:
        """The monotonic time at which `look` must be called even if nothing happens."""
        return self._deadline if self._kill_at is None else self._kill_at

    def look(self) -> Finished | None:
        """Read the output, enforce the time limit, and return the result once it has ended."""
        self._drain()
        now = time.monotonic()
        if self._kill_at is None and now >= self._deadline:
            self._timed_out = True
            self.ask_to_end()
        elif self._kill_at is not None and now >= self._kill_at:
            self._signal(signal.SIGKILL)
            self._kill_at = now + 1.0
        if os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            return None
        self._drain()
        self._signal(signal.SIGKILL)  # its leftover group, while the number is surely still ours
        _pid, status, usage = os.wait4(self.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self._pipe.close()
        os.close(self._pidfd)
        return Finished(
            exit_code=self.process.returncode,
            cpu_s=usage.ru_utime + usage.ru_stime,
            peak_mb=usage.ru_maxrss / 1024,
            output=self._tail.decode("utf-8", "replace"),
            timed_out=self._timed_out,
        )

    def ask_to_end(self) -> None:
        """Send SIGTERM to the script and its children; SIGKILL follows if necessary."""
        if self._kill_at is None:
            self._signal(signal.SIGTERM)
            self._kill_at = time.monotonic() + POLITE_SECONDS

    def end_now(self) -> None:
        """Make the next `look` send SIGKILL."""
        self._kill_at = time.monotonic()

    def _drain(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while block := os.read(self._pipe.fileno(), 65536):
                self._tail = (self._tail + block)[-KEPT_BYTES:]
            self._silent = True

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)
