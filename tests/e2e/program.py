"""The real program: subprocesses in a data directory of their own, with nothing in their environment but what is given.

    with Program(tmp_path / "data", telegram, llm) as program:
        program.start("up")
        telegram.say("hello")
        program.wait_quiet()

Leaving it ends everything it started, memoryd too, which detaches itself from its parent.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

from furoshiki.core.paths import ROOT
from tests.e2e import processes
from tests.emulators.llm import LLMEmulator
from tests.emulators.telegram import OWNER, TelegramEmulator

T = TypeVar("T")

KEY = "sk-canary-5f3b9c1d7e2a4860"
"""The model's key; no trace of it may stay anywhere."""

PATIENCE_SECONDS = 120.0
"""How long what must come about may take before a test fails: no test passes or fails by how busy the machine is."""

GLANCE_SECONDS = 0.05
LOG_LINES = 40
LOG_CHARACTERS = 300

_UNFINISHED = (
    "SELECT (SELECT count(*) FROM inbox WHERE state IN ('pending','processing'))"
    " + (SELECT count(*) FROM outbox WHERE state IN ('ready','sending') AND channel='telegram')"
)


class Process(Protocol):
    """A process that was started, as subprocess.Popen has them."""

    pid: int
    returncode: int | None

    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def send_signal(self, number: int, /) -> None: ...
    def kill(self) -> None: ...
    def terminate(self) -> None: ...


class Running:
    """One process of the program. Its words go to a file, `log`."""

    def __init__(self, process: Process, log: Path, args: tuple[str, ...]) -> None:
        self.process = process
        self.path = log
        self.args = args

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def log(self) -> str:
        """Everything it has printed."""
        return self.path.read_text("utf-8", "replace")

    def alive(self) -> bool:
        return self.process.poll() is None

    def kill(self) -> None:
        """kill -9, and wait until it is gone."""
        self.process.kill()
        self.process.wait()

    def stop(self, timeout: float = PATIENCE_SECONDS) -> int:
        """SIGTERM; the exit status. Raises subprocess.TimeoutExpired."""
        self.process.terminate()
        return self.process.wait(timeout)

    def wait(self, timeout: float = PATIENCE_SECONDS) -> int:
        """The exit status, when it ends by itself. Raises subprocess.TimeoutExpired."""
        return self.process.wait(timeout)


class Program:
    """One installation of the program that lies at `root`. `settings` are further environment variables; None takes one
    away."""

    def __init__(
        self,
        data: Path,
        telegram: TelegramEmulator | None = None,
        llm: LLMEmulator | None = None,
        *,
        provider: str = "openai",
        root: Path = ROOT,
        **settings: str | None,
    ) -> None:
        self.data = data
        self.root = root
        self.telegram = telegram
        self.llm = llm
        self.environment = _environment(data, telegram, llm, provider) | {"PYTHONPATH": str(root)}
        self.set(**settings)
        self.running: list[Running] = []
        self._logs = data.parent / f"{data.name}-output"
        self._logs.mkdir(parents=True, exist_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        if error is not None:
            print(self.picture())

    def set(self, **settings: str | None) -> None:
        """Change the environment of processes started from now on."""
        for name, value in settings.items():
            if value is None:
                self.environment.pop(name, None)
            else:
                self.environment[name] = value

    def start(self, *args: str, **settings: str) -> Running:
        """Start `furoshiki …` in the background; `settings` hold for this process alone."""
        path = self._logs / f"{len(self.running):03d}-{args[0] if args else 'start'}.log"
        running = Running(self._launched(args, {**self.environment, **settings}, path), path, args)
        self.running.append(running)
        return running

    def _launched(self, args: tuple[str, ...], environ: Mapping[str, str], log: Path) -> Process:
        with log.open("wb") as file:
            return subprocess.Popen(
                [sys.executable, "-m", "furoshiki", *args],
                cwd=self.root,
                env=environ,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
            )

    def run(
        self, *args: str, input_text: str | None = None, timeout: float = PATIENCE_SECONDS, **settings: str
    ) -> subprocess.CompletedProcess[str]:
        """Run `furoshiki …` to its end."""
        return subprocess.run(
            [sys.executable, "-m", "furoshiki", *args],
            cwd=self.root,
            env={**self.environment, **settings},
            input=input_text or "",
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )

    def listening(self, *args: str, timeout: float = PATIENCE_SECONDS, **settings: str) -> Running:
        """Start `furoshiki …` (the listener, if nothing else is said) and wait for its first poll."""
        assert self.telegram is not None
        telegram, before = self.telegram, self.telegram.polls
        running = self.start(*(args or ("listen",)), **settings)
        self.wait_for(lambda: telegram.polls > before or not running.alive(), timeout, "the first poll")
        assert running.alive(), f"{running.args} ended with {running.process.returncode}:\n{running.log}"
        return running

    def rows(self, sql: str, *params: Any) -> list[sqlite3.Row]:
        """The answer of the database, read-only."""
        path = self.data / "memory" / "longmemory.sqlite"
        db = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10.0)
        db.row_factory = sqlite3.Row
        try:
            return db.execute(sql, params).fetchall()
        finally:
            db.close()

    def value(self, sql: str, *params: Any) -> Any:
        """The first column of the first row."""
        return self.rows(sql, *params)[0][0]

    def unfinished(self) -> int:
        """How much waits: updates at Telegram, envelopes in the inbox, rows in the outbox."""
        waiting = 0 if self.telegram is None else self.telegram.pending
        with contextlib.suppress(sqlite3.OperationalError):  # no database yet
            waiting += int(self.value(_UNFINISHED))
        return waiting

    def wait_quiet(self, timeout: float = PATIENCE_SECONDS) -> None:
        """Wait until nothing waits anywhere, twice in a row."""
        calm = 0

        def quiet() -> bool:
            nonlocal calm
            calm = calm + 1 if self.unfinished() == 0 else 0
            return calm >= 3

        self.wait_for(quiet, timeout, "quiet")

    def wait_for(self, predicate: Callable[[], T], timeout: float = PATIENCE_SECONDS, what: str = "it") -> T:
        """Wait until the predicate is true and answer what it gave. Raises AssertionError with a picture."""
        until = time.monotonic() + timeout
        while not (found := predicate()):
            if time.monotonic() > until:
                raise AssertionError(f"waited {timeout:g} s for {what} in vain\n{self.picture()}")
            time.sleep(GLANCE_SECONDS)
        return found

    def picture(self) -> str:
        """What the chats show, what waits in the boxes, and the end of every log."""
        parts = [] if self.telegram is None else [self.telegram.picture()]
        with contextlib.suppress(sqlite3.Error):
            for table, columns in (("inbox", "kind, attempts"), ("outbox", "substr(text, 1, 80), attempts")):
                rows = self.rows(f"SELECT id, state, error, {columns} FROM {table} WHERE state NOT IN ('done','sent')")
                parts += [f"{table}: {tuple(row)}" for row in rows[:20]]
        logs = [one.path for one in self.running[-4:]] + sorted((self.data / "logs").glob("*.log"))
        for path in logs:
            if path.is_file():
                lines = path.read_text("utf-8", "replace").splitlines()[-LOG_LINES:]
                parts += [f"── {path.name}", *(line[:LOG_CHARACTERS] for line in lines)]
        return "\n".join(parts)

    def memoryd(self) -> int | None:
        """The process id of memoryd, None when it does not run."""
        return next((pid for pid in self.processes() if "furoshiki.app.memoryd" in processes.command(pid)), None)

    def process(self, name: str) -> int:
        """The process id of `furoshiki NAME`. AssertionError when it does not run."""
        [found] = [pid for pid in self.processes() if processes.command(pid).endswith(f"furoshiki {name}")]
        return found

    def processes(self) -> list[int]:
        """Every living process that was started for this data directory."""
        return [pid for pid in _pids() if _environ(pid).get("FUROSHIKI_DATA") == str(self.data)]

    def close(self) -> None:
        """End everything, and make sure that nothing is left."""
        for running in self.running:
            if running.alive():
                running.kill()
        until = time.monotonic() + 10.0
        while left := self.processes():
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            assert time.monotonic() < until, f"processes {left} would not end"
            time.sleep(GLANCE_SECONDS)


def _environment(
    data: Path, telegram: TelegramEmulator | None, llm: LLMEmulator | None, provider: str
) -> dict[str, str]:
    home = data.parent / f"{data.name}-home"
    home.mkdir(parents=True, exist_ok=True)
    found = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "FUROSHIKI_DATA": str(data),
        "FUROSHIKI_TIMEZONE": "Europe/Lisbon",
        "FUROSHIKI_MEMORYD_IDLE_MINUTES": "2",  # it detaches itself, and must not outlive a test that was killed
        "PYTHONUNBUFFERED": "1",
    }
    if telegram is not None:
        found |= {
            "TELEGRAM_BOT_TOKEN": telegram.token,
            "TELEGRAM_API_URL": telegram.url,
            "TELEGRAM_OWNER_ID": str(OWNER["id"]),
        }
    if llm is not None and provider == "openai":
        found |= {
            "OPENAI_API_KEY": KEY,
            "OPENAI_BASE_URL": llm.openai_url,
            "FUROSHIKI_MODEL_CHAT": "openai:test-model",
        }
    elif llm is not None:
        found |= {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": llm.anthropic_url}
    return found


def numbers(texts: list[str], word: str = "message") -> list[int]:
    """The numbers of all "message 17" in these texts, in the order in which they stand there."""
    return [int(found) for text in texts for found in re.findall(rf"\b{word} (\d+)\b", text)]


def _pids() -> Iterator[int]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            yield int(entry.name)


def _environ(pid: int) -> Mapping[str, str]:
    """The environment of a process; nothing for one that is gone, a zombie, or somebody else's."""
    try:
        if Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()[0] == "Z":
            return {}
        pairs = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return {}
    return dict(pair.decode("utf-8", "replace").split("=", 1) for pair in pairs if b"=" in pair)
