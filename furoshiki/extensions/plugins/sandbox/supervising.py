"""Supervision of one sandboxed process: input, bounded output, limits, and its certain end."""

import contextlib
import os
import re
import select
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from furoshiki.extensions.plugins.sandbox import disk
from furoshiki.extensions.plugins.sandbox.values import Backend, Ended, Excess, Limits

LOOK_SECONDS = 0.25  # seconds between checks of threads and disk usage
LEAVE_SECONDS = 2.0  # seconds for bubblewrap to end after its process
KEPT_ERRORS = 8 * 1024  # bytes kept from the end of the error output

_CHUNK = 64 * 1024
_BY_SIGNAL = 128  # bubblewrap adds this to the number of the signal that ended its process

_FIRST = re.compile(rb'"child-pid": (\d+)')
_THREADS = re.compile(r"^Threads:\s+(\d+)", re.MULTILINE)


def supervise(
    backend: Backend,
    command: Sequence[str],
    given: bytes,
    limits: Limits,
    data: Path,
    kept: Sequence[int] = (),
    stop: threading.Event | None = None,
) -> Ended:
    """Run the command until it ends. Call it in a thread that lives as long. Raises OSError.

    No process remains afterwards: it is a single one, and bubblewrap's namespace ends with its
    first. When `stop` is set the process is ended within LOOK_SECONDS.
    """
    return _Run(backend, command, limits, data, kept).watched(given, stop or threading.Event())


class _Run:
    def __init__(
        self, backend: Backend, command: Sequence[str], limits: Limits, data: Path, kept: Sequence[int]
    ) -> None:
        self.limits, self.data = limits, data
        self.began = time.monotonic()
        told, tells = os.pipe() if backend == "bubblewrap" else (None, None)
        line = list(command) if tells is None else [command[0], "--info-fd", str(tells), *command[1:]]
        try:
            self.process = subprocess.Popen(
                line,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={},
                cwd=data,
                pass_fds=(*kept, *(() if tells is None else (tells,))),
                start_new_session=True,
            )
        except BaseException:
            if told is not None:
                os.close(told)
            raise
        finally:
            if tells is not None:
                os.close(tells)
        self.told = told
        try:
            self.ended = os.pidfd_open(self.process.pid)
        except OSError:  # without a handle its end could not be ensured
            self.process.kill()
            self.process.communicate()
            raise
        self.first: int | None = None
        """The pidfd of the plugin itself inside bubblewrap's namespace."""
        self.plugin = self.process.pid
        self.stdout, self.stderr, self.printed = bytearray(), bytearray(), 0
        self.excess: Excess = ""

    def watched(self, given: bytes, stop: threading.Event) -> Ended:
        assert self.process.stdin and self.process.stdout and self.process.stderr
        waiting = memoryview(given)
        looked = self.began
        with selectors.DefaultSelector() as selector, contextlib.ExitStack() as open_files:
            for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
                open_files.callback(pipe.close)
                os.set_blocking(pipe.fileno(), False)
            selector.register(self.process.stdin, selectors.EVENT_WRITE, "given")
            selector.register(self.process.stdout, selectors.EVENT_READ, "stdout")
            selector.register(self.process.stderr, selectors.EVENT_READ, "stderr")
            selector.register(self.ended, selectors.EVENT_READ, "ended")
            open_files.callback(os.close, self.ended)
            if self.told is not None:
                os.set_blocking(self.told, False)
                selector.register(self.told, selectors.EVENT_READ, "told")
                open_files.callback(os.close, self.told)
            alive = True
            try:
                while alive and not self.excess:
                    now = time.monotonic()
                    left = self.began + self.limits.timeout_s - now
                    if left <= 0:
                        self.excess = "time"
                        break
                    if stop.is_set():
                        self.excess = "stopped"
                        break
                    for key, _ in selector.select(min(left, max(0.0, looked + LOOK_SECONDS - now))):
                        match key.data:
                            case "given":
                                waiting = self._feed(waiting)
                                if not waiting:
                                    selector.unregister(key.fileobj)
                                    self.process.stdin.close()
                            case "told":
                                self._remember_first()
                                selector.unregister(key.fileobj)
                            case "ended":
                                alive = False
                            case name:
                                if not self._read(str(name)):
                                    selector.unregister(key.fileobj)
                    if alive and time.monotonic() >= looked + LOOK_SECONDS:
                        looked = time.monotonic()
                        self.excess = self.excess or self._too_much()
            finally:
                code, cpu_ms = self._end(alive)
            for name in ("stdout", "stderr"):
                while self.printed <= self.limits.output_kb * 1024 and self._read(name, once=True):
                    pass
        ms = (time.monotonic() - self.began) * 1000
        return Ended(code, bytes(self.stdout), bytes(self.stderr), self.excess, ms, cpu_ms)

    def _feed(self, waiting: memoryview) -> memoryview:
        assert self.process.stdin
        try:
            return waiting[os.write(self.process.stdin.fileno(), waiting[:_CHUNK]) :]
        except BlockingIOError:
            return waiting
        except BrokenPipeError:  # it closed its input
            return memoryview(b"")

    def _read(self, name: str, once: bool = False) -> bool:
        """Read available output; False at the end (with `once`, also if there is none now)."""
        pipe = self.process.stdout if name == "stdout" else self.process.stderr
        assert pipe
        try:
            chunk = os.read(pipe.fileno(), _CHUNK)
        except BlockingIOError:
            return not once
        self.printed += len(chunk)
        if self.printed > self.limits.output_kb * 1024:
            self.excess = self.excess or "output"
            return False
        if name == "stdout":
            self.stdout += chunk
        else:
            self.stderr = (self.stderr + chunk)[-KEPT_ERRORS:]
        return bool(chunk)

    def _remember_first(self) -> None:
        if self.told is not None and self.first is None:
            with contextlib.suppress(OSError):
                found = _FIRST.search(os.read(self.told, 4096))
                if found:
                    self.plugin = int(found.group(1))
                    self.first = os.pidfd_open(self.plugin)

    def _too_much(self) -> Excess:
        if disk.over(self.data, self.limits, self.plugin) is not None:
            return "disk"
        return "threads" if _threads(self.plugin) > self.limits.threads else ""

    def _end(self, alive: bool) -> tuple[int, float]:
        """Make sure that the process has ended; return exit code and CPU time in milliseconds."""
        self._remember_first()
        if alive:
            _kill(self.ended if self.first is None else self.first)
            if not _over(self.ended, LEAVE_SECONDS):
                _kill(self.ended)
        _, status, used = os.wait4(self.process.pid, 0)
        if self.first is not None:
            _over(self.first, LEAVE_SECONDS)
            os.close(self.first)
        code = os.waitstatus_to_exitcode(status)
        self.process.returncode = code
        if self.told is not None and code > _BY_SIGNAL:
            code = _BY_SIGNAL - code
        return code, (used.ru_utime + used.ru_stime) * 1000


def _kill(pidfd: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        signal.pidfd_send_signal(pidfd, signal.SIGKILL)


def _over(pidfd: int, seconds: float) -> bool:
    """Wait up to `seconds` until a process has ended."""
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def _threads(pid: int) -> int:
    """Return a process's number of threads; 0 when it has ended."""
    try:
        match = _THREADS.search(Path(f"/proc/{pid}/status").read_text("ascii", "replace"))
    except OSError:
        return 0
    return int(match.group(1)) if match else 0
