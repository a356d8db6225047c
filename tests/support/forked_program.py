"""The real program in processes that are forked from a warm one: it has imported what it needs before it starts.

What a listener does from its first line on, its deaths and its signals are those of a program that was started; only
the imports are not repeated, which are most of a start. `tests/e2e` starts it with an interpreter of its own.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import subprocess
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import furoshiki
import furoshiki.app.listener
from furoshiki.channels.telegram import lazy_aiogram
from furoshiki.faces.cli.main import main
from furoshiki.models.llm import lazy_sdk
from tests.e2e.program import Program
from tests.support.deaths import Forked

PARTS = ("channels", "llm")
"""Packages whose modules are imported when they are needed."""

LATER = ("anyio", "genai_prices", "httpcore2", "telegramify_markdown")
"""What they import of others when they have something to do."""


def warm() -> None:
    """Load what a listener or a chat loads on its way, as it does."""
    lazy_aiogram.load()
    lazy_sdk.kit("openai")
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

    def _launched(self, args: tuple[str, ...], environ: Mapping[str, str], log: Path) -> Forked:
        return Forked(command, args, dict(environ), log, ready=warm)

    def run(
        self, *args: str, input_text: str | None = None, timeout: float = 90.0, **settings: str
    ) -> subprocess.CompletedProcess[str]:
        """Run `furoshiki …` to its end, and until nobody is left who could print. It can be given nothing to read."""
        assert input_text is None
        with TemporaryDirectory() as folder, ThreadPoolExecutor() as readers:
            output, errors = pipes = [Path(folder) / name for name in ("output", "errors")]
            for pipe in pipes:
                os.mkfifo(pipe)
            process = Forked(command, args, {**self.environment, **settings}, output, errors, ready=warm)
            printed = [readers.submit(pipe.read_text, "utf-8") for pipe in pipes]
            try:
                status = process.wait(timeout)
            finally:
                process.kill()
            return subprocess.CompletedProcess(args, status, *(one.result(timeout) for one in printed))
