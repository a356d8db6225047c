"""Programs that die where a test says, and the claim that no death does harm.

What is run is a function of a module, in a real process: it opens real files and a
real database, and dies by `os._exit` at a named crash point or by SIGKILL. That process is forked from a warm one
(`fork_server.py`), so a death costs no start of Python. What must be a program of its own from its first line
(`tests/e2e/program.py`) is started as one.

    ended = deaths.run(refine, home, dies_at="profile.committed")
    deaths.check(Work(refine, left=everything), template, tmp_path)
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from typing import Any

from furoshiki.core.database.connection import Database
from furoshiki.core.paths import ROOT
from furoshiki.core.process.crash_points import CRASHED
from tests.support.extent import NIGHTLY, times
from tests.support.fork_server import Order

PATIENCE_SECONDS = 120.0
"""How long a run may take before it is ended and the test fails."""


@dataclass(frozen=True)
class Ended:
    """How a process ended: its exit status (negative: by that signal), what it printed, and the points it reached, each
    as FUROSHIKI_CRASH_AT wants it: "store.after_commit:2"."""

    status: int
    output: str
    passed: tuple[str, ...]


class Forked:
    """A process that was forked from the warm one, to be handled as a subprocess.Popen is.

    `output` is the file for what it prints, `errors` that for complaints, if another, and `given` the one it reads;
    at a `terminal` it has nothing but that. `ready` is called once in the process it is forked from, to import what
    this one would import later; nothing may be open afterwards.
    """

    def __init__(
        self,
        work: Callable[..., Any],
        args: Sequence[Any],
        environ: dict[str, str],
        output: Path,
        errors: Path | None = None,
        ready: Callable[[], None] | None = None,
        *,
        given: Path | None = None,
        terminal: str | None = None,
    ) -> None:
        self.returncode: int | None = None
        self._passed = output.with_name(f"{output.name}-points")
        self._output = output
        for path in (output, self._passed):
            path.touch()
        order = Order(work, tuple(args), environ, output, errors or output, self._passed, given, terminal)
        self._pipe = _server().connected(f"{ready.__module__}:{ready.__name__}" if ready else work.__module__)
        self._pipe.send_bytes(ForkingPickler.dumps(order))
        self.pid: int = self._pipe.recv()

    def poll(self) -> int | None:
        """Its exit status, None while it runs."""
        if self.returncode is None and self._pipe.poll():
            self.returncode = self._pipe.recv()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Its exit status, once it has ended. Raises subprocess.TimeoutExpired."""
        if self.returncode is None:
            if not self._pipe.poll(timeout):
                raise subprocess.TimeoutExpired(str(self._output), timeout or 0.0)
            self.returncode = self._pipe.recv()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal; nothing when it has ended."""
        with contextlib.suppress(BrokenPipeError):
            self._pipe.send(number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def passed(self) -> tuple[str, ...]:
        """The points it has reached, in order."""
        seen: Counter[str] = Counter()
        found = []
        for name in self._passed.read_text(encoding="ascii").split():
            seen[name] += 1
            found.append(f"{name}:{seen[name]}")
        return tuple(found)


class _Server:
    """The warm process of this one; it ends with it."""

    def __init__(self) -> None:
        self._control, theirs = socket.socketpair()
        with theirs:
            environ = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # else it had more threads than one
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.support.fork_server", str(theirs.fileno())],
                cwd=ROOT,
                env=environ,
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # what is typed at the test run is not meant for it
            )

    def connected(self, wanted: str) -> Connection:
        """A pipe to a new process, forked when this ("module" or "module:function") was made ready."""
        ours, theirs = Pipe()
        with theirs:
            socket.send_fds(self._control, [wanted.encode()], [theirs.fileno()])
        return ours


_servers: list[_Server] = []


def _server() -> _Server:
    if not _servers:
        _servers.append(_Server())
    return _servers[0]


def run(
    work: Callable[..., Any], *args: Any, dies_at: str = "", dies_after: float | None = None, **environ: str
) -> Ended:
    """Run `work(*args)` in a process of its own, awaited where that must be, to its end or its death: at a point
    ("store.after_commit:2" is the second time), or by SIGKILL after so many seconds. The function, which a module must
    have, may leave with a status by SystemExit. `environ` is set beside what this process has."""
    around = {**os.environ, **environ, "FUROSHIKI_CRASH_AT": dies_at}
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "output"
        process = Forked(work, args, around, output)
        try:
            process.wait(PATIENCE_SECONDS if dies_after is None else dies_after)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            assert dies_after is not None, f"it did not come to an end:\n{output.read_text()}"
        assert process.returncode is not None
        return Ended(process.returncode, output.read_text(encoding="utf-8", errors="replace"), process.passed())


# -- homes --


def database_in(home: Path) -> Path:
    """Where the database of a home lies."""
    return home / "memory" / "longmemory.sqlite"


def new_home(empty_database: Path, home: Path) -> Path:
    """A home with an empty database in it."""
    database = database_in(home)
    database.parent.mkdir(parents=True)
    shutil.copyfile(empty_database, database)
    return home


@contextlib.contextmanager
def opened(home: Path) -> Iterator[Database]:
    """The database of a home, closed again."""
    database = Database(database_in(home), busy_seconds=5.0)
    try:
        yield database
    finally:
        database.close()


def rows_in(home: Path, questions: Mapping[str, str]) -> dict[str, list[tuple[Any, ...]]]:
    """What its database answers to these questions, by their names. AssertionError when it is damaged."""
    with opened(home) as database, database.read() as db:
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        return {name: [tuple(row) for row in db.execute(sql)] for name, sql in questions.items()}


# -- the claim --


@contextlib.contextmanager
def _no_more(_home: Path) -> Iterator[None]:
    yield


@dataclass(frozen=True)
class Work:
    """Something that is done in a home, called with its folder, and may be killed while it is."""

    do: Callable[..., Any]
    fill: Callable[[Path], None]
    """What lies in the home before: called with a folder that has an empty database."""
    left: Callable[[Path], Any]
    """Everything that matters in the home afterwards, to be compared with what is left when nobody kills it."""
    args: tuple[Any, ...] = ()
    """What else `do` is called with, after the folder."""
    again: Callable[[Path], AbstractContextManager[None]] = _no_more
    """Entered with a home in which it has died, left when it was done again: for what must hold besides."""
    finish: Callable[..., Any] | None = None
    """What is done afterwards, whether it died or not; else it is done again when it has died."""


class Trial:
    """A piece of work, and its home, which is copied for each death. `scratch` is a folder for the copies."""

    def __init__(self, work: Work, empty_database: Path, scratch: Path) -> None:
        self.work = work
        self.seconds = 0.0
        """How long it takes when nobody kills it, once that has been looked at."""
        self._template, self._home = scratch / "template", scratch / "home"
        work.fill(new_home(empty_database, self._template))

    @property
    def alive(self) -> Any:
        """What is left when nobody kills it."""
        return self._undisturbed[1]

    @property
    def points(self) -> tuple[str, ...]:
        """Each point that it reaches, in order, as FUROSHIKI_CRASH_AT wants it."""
        return self._undisturbed[0]

    @property
    def first_times(self) -> tuple[str, ...]:
        """Return the moments at which it reaches a point for the first time."""
        return tuple(point for point in self.points if point.endswith(":1"))

    @cached_property
    def _undisturbed(self) -> tuple[tuple[str, ...], Any]:
        home = self._moved_in()
        began = time.monotonic()
        passed = self._whole(home, self.work.do)
        self.seconds = time.monotonic() - began
        if self.work.finish is not None:
            self._whole(home, self.work.finish)
        return passed, self.work.left(home)

    def survives_each(self, points: Iterable[str] = ()) -> None:
        """Killed at each of these points (those that it reaches, when none are given), it leaves what it would have
        left alive. At night at each time it comes there, else at one of them."""
        chosen = tuple(points or self.points)
        _nothing(wrong for point in (chosen if NIGHTLY else _once_each(chosen)) for wrong in self.harm(point))

    def survives(self, *deaths: str | float) -> None:
        """These deaths one after the other do no harm."""
        _nothing(self.harm(*deaths))

    def survives_many(self, deaths: int, seed: int) -> None:
        """So many deaths one after the other do no more harm than one; half as many where it is not night."""
        dice = random.Random(seed)
        self.survives(*(dice.choice(self.points) for _ in range(times(deaths, deaths // 2))))

    def harm(self, *deaths: str | float) -> list[str]:
        """What is other than if it had lived, when it died at these points, or by SIGKILL so many seconds from its
        start, one after the other. It need not come to a later one: then it has been done."""
        home, how = self._moved_in(), " and ".join(str(death) for death in deaths)
        for number, death in enumerate(deaths):
            ended = run(self.work.do, home, *self.work.args, **_as_asked(death))
            died = ended.status in (CRASHED, -signal.SIGKILL)
            assert died or ended.status == 0 and (number or isinstance(death, float)), f"{how}: {ended}"
        try:
            with self.work.again(home):
                self._whole(home, self.work.finish or self.work.do)
        except AssertionError as error:
            error.add_note(f"killed at {how}")
            raise
        return [f"killed at {how}: {one}" for one in _differences(self.alive, self.work.left(home))]

    def _whole(self, home: Path, do: Callable[..., Any]) -> tuple[str, ...]:
        """Run it to its end; the points that it reaches."""
        ended = run(do, home, *self.work.args)
        assert ended.status == 0, ended.output
        return ended.passed

    def _moved_in(self) -> Path:
        shutil.rmtree(self._home, ignore_errors=True)
        shutil.copytree(self._template, self._home)
        return self._home


def _as_asked(death: str | float) -> dict[str, Any]:
    return {"dies_at": death} if isinstance(death, str) else {"dies_after": death}


def _once_each(points: Sequence[str]) -> Iterator[str]:
    """Of the points "name:time" one time for each name, chosen by dice that always fall alike."""
    times: dict[str, list[str]] = {}
    for point in points:
        times.setdefault(point.partition(":")[0], []).append(point)
    return (random.Random(name).choice(each) for name, each in times.items())


def _nothing(wrong: Iterable[str]) -> None:
    found = list(wrong)
    assert not found, "\n".join(found)


def _differences(wanted: Any, found: Any) -> list[str]:
    if isinstance(wanted, Counter) and isinstance(found, Counter):
        return [f"lost: {one}" for one in wanted - found] + [f"too much: {one}" for one in found - wanted]
    if isinstance(wanted, dict) and isinstance(found, dict) and wanted.keys() == found.keys():
        return [f"{name}: {one}" for name in wanted for one in _differences(wanted[name], found[name])]
    return [] if wanted == found else [f"{found!r} instead of {wanted!r}"]
