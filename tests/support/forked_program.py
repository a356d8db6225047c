"""The real program in processes that are forked from a warm one: it has imported what it needs before it starts.

What a listener does from its first line on, its deaths and its signals are those of a program that was started; only
the imports are not repeated, which are most of a start. What it starts itself (memoryd, the services of `up`, jobs)
has an interpreter of its own, and so has all of it where a `Program` is made: in the conversation, the first setup,
the single process and the private life of `tests/e2e` (a library may look at its environment once, when it is loaded),
and where a reaction was felt.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import furoshiki
import furoshiki.app.listener
from furoshiki.channels.telegram import lazy_aiogram
from furoshiki.core.paths import ROOT
from furoshiki.faces.cli.main import main
from furoshiki.models.llm import sdk_client
from tests.e2e.program import PATIENCE_SECONDS, Program
from tests.support.deaths import Forked
from tests.support.terminal import Terminal

PARTS = ("channels", "llm")
"""Packages whose modules are imported when they are needed."""

LATER = ("anyio", "genai_prices", "httpcore2", "telegramify_markdown")
"""What they import of others when they have something to do."""


def warm() -> None:
    """Load what a listener or a chat loads on its way, as it does."""
    lazy_aiogram.load()
    sdk_client.kit("openai")
    for part in PARTS:
        for module in pkgutil.walk_packages([f"{furoshiki.__path__[0]}/{part}"], f"furoshiki.{part}."):
            importlib.import_module(module.name)
    for name in LATER:
        importlib.import_module(name)


def command(*args: str) -> None:
    """`furoshiki …`, from the door of its command line on."""
    raise SystemExit(main(args))


class ForkedProgram(Program):
    """One installation, as `Program` is."""

    work = staticmethod(command)

    def _launched(self, args: tuple[str, ...], environ: Mapping[str, str], log: Path) -> Forked:
        return Forked(self.work, args, dict(environ), log, ready=warm)

    def run(
        self, *args: str, input_text: str | None = None, timeout: float = PATIENCE_SECONDS, **settings: str
    ) -> subprocess.CompletedProcess[str]:
        """Run `furoshiki …` to its end, and until nobody is left who could print."""
        return ran(args, {**self.environment, **settings}, input_text or "", timeout, self.work)


def ran(
    args: Sequence[str],
    environ: Mapping[str, str],
    input_text: str = "",
    timeout: float = PATIENCE_SECONDS,
    work: Callable[..., None] = command,
) -> subprocess.CompletedProcess[str]:
    """How `furoshiki …` ended, given this to read, once nobody is left who could print."""
    with TemporaryDirectory() as folder, ThreadPoolExecutor() as readers:
        output, errors = pipes = [Path(folder) / name for name in ("output", "errors")]
        for pipe in pipes:
            os.mkfifo(pipe)
        given = Path(folder) / "input"
        given.write_text(input_text, encoding="utf-8")
        process = Forked(work, args, dict(environ), output, errors, ready=warm, given=given)
        printed = [readers.submit(pipe.read_text, "utf-8") for pipe in pipes]
        try:
            status = process.wait(timeout)
        finally:
            process.kill()
        return subprocess.CompletedProcess(args, status, *(one.result(timeout) for one in printed))


class ForkedTerminal(Terminal):
    """A terminal at which such a process sits."""

    def _started(self, args: list[str], environ: dict[str, str], cwd: Path) -> Forked:
        assert cwd == ROOT
        self._folder = TemporaryDirectory()
        return Forked(
            command, args, environ, Path(self._folder.name) / "none", ready=warm, terminal=os.ttyname(self._slave)
        )

    def __exit__(self, *how: Any) -> None:
        super().__exit__(*how)
        self._folder.cleanup()
