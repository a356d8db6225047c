"""Whether a changed plugin still works: its own tests, or, without any, the script that failed, run once.

It runs with an empty environment, in a process group that is ended with it, within limits of time, memory and file
size. That is no sandbox: what is run is a plugin its owner uses, with a change that reaches for nothing new.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PATIENCE_SECONDS = 120.0
"""How long the tests, or the script, may take."""

LIMITS = {"RLIMIT_CPU": 60, "RLIMIT_AS": 2 << 30, "RLIMIT_FSIZE": 64 << 20, "RLIMIT_CORE": 0}
"""Seconds of CPU, bytes of memory, bytes of a file."""

SAID = 2_000
"""Characters of what it printed that are kept, the end of it."""

_WITHIN = "import os,resource,sys;[resource.setrlimit(getattr(resource,n),(v,v)) for n,v in {limits!r}.items()];"
_THEN = "os.execv(sys.argv[1],sys.argv[1:])"


@dataclass(frozen=True)
class Checked:
    """Whether it works, and what was found out by what."""

    ok: bool
    words: str


def check(plugin: Path, script: Path, patience_s: float = PATIENCE_SECONDS) -> Checked:
    """Run a plugin's tests; without any, compile the script and run it."""
    if not any((plugin / "tests").glob("**/test_*.py")):
        return _script(plugin, script, patience_s)
    if importlib.util.find_spec("pytest") is None:
        return Checked(False, "its tests could not be run: pytest is not installed here")
    command = ("-m", "pytest", "-q", "-x", "--rootdir", str(plugin), "-p", "no:cacheprovider", "tests")
    return _run("its tests", plugin, command, patience_s)


def _script(plugin: Path, script: Path, patience_s: float) -> Checked:
    try:
        compile(script.read_bytes(), str(script), "exec")
    except (OSError, SyntaxError, ValueError) as error:
        return Checked(False, f"it does not compile: {error}")
    return _run("the script, run once (it has no tests),", plugin, (str(script),), patience_s)


def _run(what: str, folder: Path, command: Sequence[str], patience_s: float) -> Checked:
    limited = (sys.executable, "-I", "-S", "-c", _WITHIN.format(limits=LIMITS) + _THEN, sys.executable, *command)
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryFile() as said:
        environ = {
            "PATH": "/usr/bin:/bin",
            "HOME": home,
            "LANG": "C.UTF-8",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        }
        process = subprocess.Popen(
            limited,
            cwd=folder,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            status: int | None = process.wait(patience_s)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        said.seek(max(0, said.seek(0, os.SEEK_END) - SAID))
        printed = said.read().decode("utf-8", "replace").strip()
    if status == 0:
        return Checked(True, f"{what} ended well")
    ended = f"did not end within {patience_s:g} s" if status is None else f"ended with {status}"
    return Checked(False, f"{what} {ended}:\n{printed}")
