"""Supervises a few child processes: restarts crashed ones, and ends all together, at the latest
when one cannot run at all, because a partial companion must not pass for a whole one.

Every ten minutes it runs the doctor, as systemd's timer does elsewhere.

Signals only set flags and wake the loop, which alone starts, judges and ends children. `furoshiki
up` replaces itself by `python -m furoshiki.app.supervisor listen brain` after its checks: this
process lives as long as the services and should hold no more than it needs.
"""

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Mapping, Sequence

from furoshiki.app import memoryd_shutdown
from furoshiki.core.atomic_files import locked
from furoshiki.core.paths import ROOT, data_dir

FIRST_DELAY_S = 1.0
LONGEST_DELAY_S = 60.0
STEADY_S = 60.0  # seconds after which a child that dies is restarted without an increased delay

# seconds that children may take to end before they are killed; all must end within five
FAREWELL_S = 4.0

MEMORYD_S = 0.4  # seconds that memoryd may take to end after them, before it is killed

DOCTOR = ROOT / "scripts" / "doctor.py"
DOCTOR_EVERY_S = 600.0
FIRST_VISIT_S = 120.0  # seconds before the doctor's first check: new processes need time to come up
LONGEST_VISIT_S = 120.0  # seconds that the doctor may take before it is killed; it aims at ten
HOPELESS = (2, 3)  # exit codes for "used wrongly" and "not configured": a retry would fail again

# the arguments of `furoshiki` for each supervised process
COMMANDS = {
    "listen": ["listen"],
    "brain": ["brain"],
    "single": ["listen", "--with-brain"],
    "dashboard": ["dashboard"],
    "host-listen": ["host", "listen"],
    "host-brain": ["host", "brain"],
    "host-dashboard": ["host", "dashboard"],
}

OF_A_HOST = ("host-listen", "host-brain")  # the processes that serve many homes
HOST_DASHBOARD = "host-dashboard"  # the dashboard of all homes

LOCK = "up.lock"
ALREADY = "`furoshiki up` already runs for this data directory: stop that one first"

_PR_SET_PDEATHSIG = 1
_prctl = ctypes.CDLL(None).prctl

Say = Callable[[str], None]


class _Child:  # no dataclass: their module alone takes 2 MB
    process: subprocess.Popen[bytes] | None = None
    started_at = 0.0
    delay_s = FIRST_DELAY_S

    def __init__(self, name: str, command: Sequence[str], due_at: float = 0.0) -> None:
        self.name, self.command, self.due_at = name, command, due_at


class Supervisor:
    """Runs the commands (by name) until `stop`; `run` returns 0, or the exit code of the child that
    cannot run.

    `doctor` is a command run every ten minutes. As the first process of a container, it `adopts`
    orphans and reaps them.
    """

    def __init__(
        self,
        commands: Mapping[str, Sequence[str]],
        environ: Mapping[str, str] | None,
        say: Say,
        doctor: Sequence[str] | None = None,
        adopts: bool = False,
    ) -> None:
        self._adopts = adopts
        self._children = [_Child(name, command) for name, command in commands.items()]
        due = time.monotonic() + FIRST_VISIT_S
        self._doctor = None if doctor is None else _Child("the doctor", doctor, due_at=due)
        self._environ = environ
        self._say = say
        self._stopping = False
        self._hopeless: int | None = None
        """The exit code of a child that would fail again."""
        self._woken, self._wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)

    def run(self) -> int:
        """Start everything and run until stopped, or until one child cannot run."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda _number, _frame: self.stop())
        signal.signal(signal.SIGCHLD, lambda _number, _frame: self._poke())
        while not self._stopping:
            self._look(time.monotonic())
            self._visit(time.monotonic())
            if self._adopts:
                _bury({process.pid for process in self._list_running()})
            if self._hopeless is not None:
                break
            self._wait(time.monotonic())
        self._end()
        return 0 if self._hopeless is None or self._stopping else self._hopeless

    def stop(self) -> None:
        """End the children and make `run` return. May be called from a signal handler."""
        self._stopping = True
        self._poke()

    def _poke(self) -> None:
        with contextlib.suppress(BlockingIOError):  # it is awake already
            os.write(self._wake, b".")

    def _look(self, now: float) -> None:
        """Judge ended children and start those that are due."""
        for child in self._children:
            if child.process is not None and child.process.poll() is not None:
                self._on_exit(child, child.process.returncode, now)
            if child.process is None and self._hopeless is None and child.due_at <= now:
                child.process = self._start_process(child.command)
                child.started_at = now

    def _visit(self, now: float) -> None:
        """Run the doctor when it is due. It writes its own log and alerts."""
        doctor = self._doctor
        if doctor is None:
            return
        if doctor.process is not None:
            if now - doctor.started_at > LONGEST_VISIT_S:
                doctor.process.kill()
                doctor.process.wait()
            if doctor.process.poll() is not None:
                doctor.process = None
        if doctor.process is None and doctor.due_at <= now:
            doctor.due_at, doctor.started_at = now + DOCTOR_EVERY_S, now
            try:
                doctor.process = self._start_process(doctor.command)
            except OSError as error:
                self._say(f"the doctor cannot be started: {error}")

    def _start_process(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for this process, which ends the children in order
            preexec_fn=die_with_parent,
            env=None if self._environ is None else dict(self._environ),
        )

    def _on_exit(self, child: _Child, code: int, now: float) -> None:
        child.process = None
        if code in HOPELESS:
            self._hopeless = code
            self._say(f"{child.name} cannot run as things are (its reason stands above), so everything ends.")
            return
        if now - child.started_at >= STEADY_S:
            child.delay_s = FIRST_DELAY_S
        how = f"was ended by signal {-code}" if code < 0 else f"ended with status {code}"
        self._say(f"{child.name} {how}; it is started again in {child.delay_s:g} s")
        child.due_at = now + child.delay_s
        child.delay_s = min(LONGEST_DELAY_S, child.delay_s * 2)

    def _wait(self, now: float) -> None:
        due = [child.due_at - now for child in self._children if child.process is None]
        if self._doctor is not None:
            visiting = self._doctor.process is not None
            due.append((self._doctor.started_at + LONGEST_VISIT_S if visiting else self._doctor.due_at) - now)
        select.select([self._woken], [], [], max(0.0, min(due)) if due else None)
        while select.select([self._woken], [], [], 0)[0]:
            os.read(self._woken, 512)

    def _list_running(self) -> list[subprocess.Popen[bytes]]:
        everybody = [*self._children, *([] if self._doctor is None else [self._doctor])]
        return [child.process for child in everybody if child.process is not None]

    def _end(self) -> None:
        running = self._list_running()
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
    """End the child with the supervisor: a killed supervisor must not leave orphans."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _bury(ours: Collection[int]) -> None:
    """Reap ended children that nobody waits for, but not ours, whose exit codes are judged."""
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)) and ended.si_pid not in ours:
            os.waitpid(ended.si_pid, 0)


def main(names: Sequence[str]) -> int:
    """Supervise these furoshiki commands, once per data directory; return the exit status."""

    def say(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    commands = {name: [sys.executable, "-P", "-m", "furoshiki", *COMMANDS[name]] for name in names}
    for_one = DOCTOR.exists() and not set(names) & set(OF_A_HOST)
    doctor = [os.path.realpath(sys.executable), "-I", "-S", str(DOCTOR)] if for_one else None
    with locked(data_dir() / "run" / LOCK, wait=False) as alone:
        if not alone:
            say(f"furoshiki: {ALREADY}")
            return 1
        status = Supervisor(commands, None, say, doctor, adopts=os.getpid() == 1).run()
        memoryd_shutdown.end(data_dir() / "run", MEMORYD_S, kill=True)
        return status


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
