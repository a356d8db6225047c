"""A few processes that run the jobs of all homes; hanging ones are killed, dead ones replaced."""

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from furoshiki.app.scheduler.job_process import NICENESS
from furoshiki.app.supervisor import die_with_parent
from furoshiki.core.paths import environ

# jobs after which a process is replaced: this frees what libraries never release
FRESH_AFTER = 2000

DIED = -1  # the exit code of a job whose process died or was killed at its time limit


@dataclass(frozen=True)
class Asked:
    """A job to run: home, job, arguments, and time limit in seconds."""

    home: str
    data: Path
    job: str
    args: Sequence[str]
    timeout_s: float


@dataclass(frozen=True)
class Ended:
    """The end of a job: exit code, a line about it, and, if it was cut off, its CPU seconds at
    most."""

    asked: Asked
    exit_code: int
    summary: str
    cpu_s: float | None = None


class _Process:
    """A worker process and its current job."""

    def __init__(self) -> None:
        self.child = subprocess.Popen(
            [sys.executable, "-P", "-m", "furoshiki.host.job_worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**environ(), "OPENBLAS_NUM_THREADS": "1"},
            start_new_session=True,
            preexec_fn=die_with_parent,
        )
        assert self.child.stdin is not None and self.child.stdout is not None
        self.answers = self.child.stdout
        os.set_blocking(self.answers.fileno(), False)
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, self.child.pid, NICENESS)
        self.asked: Asked | None = None
        self.until = self._begun_at = 0.0
        self.done = 0
        self._heard = b""

    def ask(self, asked: Asked) -> None:
        line = json.dumps({"home": str(asked.data), "job": asked.job, "args": list(asked.args)})
        self._begun_at = time.monotonic()
        self.asked, self.until = asked, self._begun_at + asked.timeout_s
        assert self.child.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # it has died: `look` finds that
            self.child.stdin.write(line.encode() + b"\n")
            self.child.stdin.flush()

    def look(self) -> Ended | None:
        """Return the end of the current job; None while it runs."""
        if self.asked is None:
            return None
        with contextlib.suppress(BlockingIOError):
            self._heard += self.answers.read() or b""
        line, newline, rest = self._heard.partition(b"\n")
        if newline:
            self._heard = rest
            return self._over(json.loads(line))
        if self.child.poll() is not None:
            return self._over({"exit": DIED, "summary": f"its process died ({self.child.returncode})"})
        if time.monotonic() > self.until:
            self.end()
            return self._over({"exit": DIED, "summary": "stopped: it took longer than its time limit"})
        return None

    def _over(self, answer: Mapping[str, Any]) -> Ended:
        assert self.asked is not None
        died = int(answer["exit"]) == DIED
        ended = Ended(
            self.asked, int(answer["exit"]), str(answer["summary"]), time.monotonic() - self._begun_at if died else None
        )
        self.asked, self.done = None, self.done + 1
        return ended

    def end(self) -> None:
        """Kill the process and everything it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.child.pid, signal.SIGKILL)
        self.child.wait()
        self.answers.close()
        if self.child.stdin is not None:
            with contextlib.suppress(OSError):
                self.child.stdin.close()


class JobPool:
    """At most `most` worker processes, each started when first needed."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._processes: list[_Process] = []

    @property
    def has_room(self) -> bool:
        """Whether another job can begin."""
        return sum(process.asked is not None for process in self._processes) < self._most

    @property
    def homes(self) -> list[str]:
        """List the homes whose jobs run, once for each job."""
        return [process.asked.home for process in self._processes if process.asked is not None]

    @property
    def busy(self) -> set[tuple[str, str]]:
        """Return the running jobs as (home, job)."""
        return {(process.asked.home, process.asked.job) for process in self._processes if process.asked is not None}

    def begin(self, asked: Asked) -> None:
        """Begin a job; `has_room` must be true."""
        free = next(
            (process for process in self._processes if process.asked is None and process.child.poll() is None), None
        )
        if free is None:
            self._processes = [process for process in self._processes if process.asked is not None]
            free = _Process()
            self._processes.append(free)
        free.ask(asked)

    def ended(self) -> list[Ended]:
        """Return the jobs that have ended since the last call."""
        found = [ended for process in self._processes if (ended := process.look()) is not None]
        for process in [
            process for process in self._processes if process.asked is None and process.done >= FRESH_AFTER
        ]:
            self._processes.remove(process)
            process.end()
        self._processes = [process for process in self._processes if process.child.poll() is None]
        return found

    def wait(self, seconds: float, *besides: int) -> None:
        """Wait for the end of a job, for input from `besides`, or at most this many seconds."""
        now = time.monotonic()
        limits = [process.until - now for process in self._processes if process.asked is not None]
        reading = [process.answers for process in self._processes if process.asked is not None]
        select.select([*(one.fileno() for one in reading), *besides], [], [], max(0.0, min([seconds, *limits])))

    def close(self) -> None:
        """Kill every process and its job."""
        for process in self._processes:
            process.end()
        self._processes = []
