"""Keeps a few child processes running: restarts what crashed, lets be what cannot run, ends them all together.

Signals only set flags and wake the loop; the loop is the one place where children are started, judged and ended.
`furoshiki up` becomes `python -m furoshiki.app.supervisor listen brain` once it has checked everything: this process
lives as long as the services and should not carry the settings model (28 MB) around.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from furoshiki.core.atomic_files import locked
from furoshiki.core.paths import data_dir

FIRST_DELAY_S = 1.0
LONGEST_DELAY_S = 60.0
STEADY_S = 60.0
"""A child that has run this long before it died is restarted without an increased delay."""

FAREWELL_S = 4.0
"""How long children may take to end before they are killed; the whole must be gone after five seconds."""

HOPELESS = (2, 3)
"""Exit codes for "used wrongly" and "not configured": trying again would end the same way."""

LOCK = "up.lock"
ALREADY = "`furoshiki up` already runs for this data directory: stop that one first"

_PR_SET_PDEATHSIG = 1
_prctl = ctypes.CDLL(None).prctl

Say = Callable[[str], None]


@dataclass
class _Child:
    name: str
    command: Sequence[str]
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    due_at: float = 0.0
    delay_s: float = FIRST_DELAY_S
    given_up: int | None = None


class Supervisor:
    """Runs the commands (by name) until `stop`; `run` answers 0, or the exit code of the last child given up."""

    def __init__(self, commands: Mapping[str, Sequence[str]], environ: Mapping[str, str] | None, say: Say) -> None:
        self._children = [_Child(name, command) for name, command in commands.items()]
        self._environ = environ
        self._say = say
        self._stopping = False
        self._woken, self._wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)

    def run(self) -> int:
        """Start everything and stay until stopped, or until no child is left that could run."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda _number, _frame: self.stop())
        signal.signal(signal.SIGCHLD, lambda _number, _frame: self._poke())
        while not self._stopping:
            self._look(time.monotonic())
            if all(child.given_up is not None for child in self._children):
                break
            self._wait(time.monotonic())
        self._end()
        given_up = [child.given_up for child in self._children if child.given_up is not None]
        return given_up[-1] if given_up and not self._stopping else 0

    def stop(self) -> None:
        """End the children and let `run` return. May be called from a signal handler."""
        self._stopping = True
        self._poke()

    def _poke(self) -> None:
        with contextlib.suppress(BlockingIOError):  # it is awake already
            os.write(self._wake, b".")

    def _look(self, now: float) -> None:
        """Judge who ended and start who is due."""
        for child in self._children:
            if child.process is not None and child.process.poll() is not None:
                self._ended(child, child.process.returncode, now)
            if child.process is None and child.given_up is None and child.due_at <= now:
                child.process = subprocess.Popen(
                    child.command,
                    stdin=subprocess.DEVNULL,
                    start_new_session=True,  # Ctrl-C is for this process, which passes it on in order
                    preexec_fn=die_with_parent,
                    env=None if self._environ is None else dict(self._environ),
                )
                child.started_at = now

    def _ended(self, child: _Child, code: int, now: float) -> None:
        child.process = None
        if code in HOPELESS:
            child.given_up = code
            self._say(f"{child.name} cannot run as things are (its reason stands above); the rest goes on.")
            return
        if now - child.started_at >= STEADY_S:
            child.delay_s = FIRST_DELAY_S
        how = f"was ended by signal {-code}" if code < 0 else f"ended with status {code}"
        self._say(f"{child.name} {how}; it is started again in {child.delay_s:g} s")
        child.due_at = now + child.delay_s
        child.delay_s = min(LONGEST_DELAY_S, child.delay_s * 2)

    def _wait(self, now: float) -> None:
        """Until a signal comes or the next start is due."""
        due = [child.due_at - now for child in self._children if child.process is None and child.given_up is None]
        select.select([self._woken], [], [], max(0.0, min(due)) if due else None)
        while select.select([self._woken], [], [], 0)[0]:
            os.read(self._woken, 512)

    def _end(self) -> None:
        running = [child.process for child in self._children if child.process is not None]
        for process in running:
            process.terminate()
        until = time.monotonic() + FAREWELL_S
        for process in running:
            try:
                process.wait(max(0.0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def die_with_parent() -> None:
    """In the child, before it becomes the command: a supervisor that is killed must not leave orphans behind."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def main(names: Sequence[str]) -> int:
    """Supervise these furoshiki commands, once per data directory; returns the exit status."""

    def say(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    with locked(data_dir() / "run" / LOCK, wait=False) as alone:
        if not alone:
            say(f"furoshiki: {ALREADY}")
            return 1
        return Supervisor({name: [sys.executable, "-P", "-m", "furoshiki", name] for name in names}, None, say).run()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
