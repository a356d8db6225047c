"""A process from which others are forked: what they need is imported, nothing is open, and there is one thread.

`python -m tests.support.fork_server FD`, as `deaths.py` starts it once for each worker of a test run. FD is a socket on
which each run sends what is to be made ready ("module" or "module:function", once) and one end of a pipe of its own. A
fork costs milliseconds where a fresh interpreter with these imports costs seconds.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import importlib
import inspect
import os
import pickle
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, NoReturn

from furoshiki.core.process import crash_points

NAME_BYTES = 200
"""How long the name of what is made ready may be."""


@dataclass(frozen=True)
class Order:
    """What a forked process is to do: `work(*args)`, awaited where that must be."""

    work: Callable[..., Any]
    args: tuple[Any, ...]
    environ: dict[str, str]
    output: Path
    errors: Path
    """The files to which it adds what it prints; they may be one."""
    passed: Path
    """The file to which it adds the name of each crash point that it reaches, a line each."""
    given: Path | None = None
    """The file that it reads as its input; else it has none."""
    terminal: str | None = None
    """The terminal it sits at, in a session of its own, instead of all these files."""


def serve(control: socket.socket) -> None:
    """Fork for everybody who asks, until nobody holds the other end of `control`."""
    made_ready: set[bytes] = set()
    while True:
        wanted, pipes, _, _ = socket.recv_fds(control, NAME_BYTES, 1)
        if not pipes:
            return
        if wanted not in made_ready:
            made_ready.add(wanted)
            with contextlib.suppress(Exception):  # the forked process tries again, and tells why it cannot
                _make_ready(wanted.decode())
        gc.freeze()  # nobody who is forked looks through all of this again, and so has no copy of it made
        if os.fork() == 0:
            control.close()
            _guard(Connection(pipes[0]))
        os.close(pipes[0])
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def _make_ready(wanted: str) -> None:
    module, _, function = wanted.partition(":")
    found = importlib.import_module(module)
    if function:
        getattr(found, function)()


def _guard(pipe: Connection) -> NoReturn:
    """Fork the process itself, send it the signals that are asked for, and tell how it ended. When nobody listens any
    more, it is killed."""
    try:
        order = pipe.recv_bytes()
        child = os.fork()
        if child == 0:
            pipe.close()
            _become(order)
        pipe.send(child)
        ended = os.pidfd_open(child)
        while ended not in wait([pipe, ended]):
            try:
                number = pipe.recv()
            except EOFError:
                number = signal.SIGKILL
            os.kill(child, number)  # it was not waited for yet: nobody else can have its number
            if number == signal.SIGKILL:
                break
        status = os.waitpid(child, 0)[1]
        with contextlib.suppress(BrokenPipeError):
            pipe.send(os.waitstatus_to_exitcode(status))
    finally:
        os._exit(0)


def _become(order: bytes) -> NoReturn:
    """Do what was ordered and leave as a program does, but without taking the interpreter down."""
    status = 1
    try:
        _do(pickle.loads(order))
        status = 0
    except SystemExit as leaving:
        status = leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _do(order: Order) -> None:
    passed = _appended(order.passed)
    if order.terminal is None:
        ends = (os.open(order.given or os.devnull, os.O_RDONLY), _appended(order.output), _appended(order.errors))
    else:
        os.setsid()  # so that the terminal which is opened next is its own
        ends = (os.open(order.terminal, os.O_RDWR),) * 3
    for number, end in enumerate(ends):
        os.dup2(end, number)
    for end in {*ends}:
        os.close(end)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", 1, encoding="utf-8", closefd=False)
    os.environ.clear()
    os.environ.update(order.environ)
    crash_points.obey(os.environ, lambda name: os.write(passed, f"{name}\n".encode()) and None)
    found = order.work(*order.args)
    if inspect.isawaitable(found):
        asyncio.run(_whole(found))


def _appended(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)


async def _whole(found: Any) -> None:
    await found


if __name__ == "__main__":
    importlib.import_module("tests.support.warm")
    serve(socket.socket(fileno=int(sys.argv[1])))
