"""Requests to tool servers: list of tools, and calls, each with a timeout.

Each server has a process (`bridge.py`), started on the first call, reused while it is called, and
killed with all its children when it does not answer in time.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from furoshiki.core.errors import BadSetting
from furoshiki.core.network import outbound
from furoshiki.core.paths import ROOT
from furoshiki.extensions.tool_servers import configured, permissions, survivors
from furoshiki.extensions.tool_servers.rules.configuration import identity
from furoshiki.extensions.tool_servers.values import START_S, Allowed, Outcome, Server, Tool
from furoshiki.world import World

RETRY_S = 60.0  # seconds before an unavailable or slow server is tried again
LONGEST_LINE = 4 << 20  # maximum bytes of a bridge's answer: a hundred tools with descriptions

PROGRAM = "furoshiki.extensions.tool_servers.bridge"

LATE = "It took longer than {:g} s and was given up."
GONE = "The server ended while it was asked."
CHANGED = (
    "What it says of this tool is no longer what its owner allowed, so it is switched off. They see"
    " what it says now with "
    "`furoshiki tools list {}`, and may allow it again."
)


class NotThere(Exception):
    """A server does not answer; the message says why and may be the server's."""


class Late(NotThere):
    """The answer took longer than allowed."""


class Asking:
    """One call, which any thread may cancel."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: _Connection | None = None
        self.over = False

    def give_up(self) -> None:
        """Cancel the call: end the process it waits for."""
        with self._lock:
            self.over = True
            if self._held is not None:
                self._held.break_off()

    @contextlib.contextmanager
    def of(self, held: _Connection) -> Iterator[None]:
        """Register the connection that the call waits for. Raises NotThere when cancelled."""
        with self._lock:
            if self.over:
                raise NotThere(GONE)
            self._held = held
        try:
            yield
        finally:
            with self._lock:
                self._held = None


def tools(data: Path, server: Server) -> list[Tool]:
    """Return a server's current tools. Raises NotThere; BadSetting for a missing setting."""
    answer = _send_request(data, server, {"what": "list"}, Asking())
    if not answer.get("ok"):
        raise NotThere(str(answer.get("text", "")))
    return [Tool(**one) for one in answer["tools"]]


def call(world: World, one: Allowed, args: Mapping[str, Any], asking: Asking | None = None) -> Outcome:
    """Call a tool. One that differs from the approved one is disabled instead."""
    data = world.settings.data
    request = {"what": "call", "tool": one.tool.name, "args": dict(args), "pin": one.tool.pin}
    try:
        answer = _send_request(data, one.server, request, asking or Asking())
    except (NotThere, BadSetting) as error:
        return Outcome(False, str(error))
    if answer.get("changed"):
        with world.database.write() as db:
            permissions.mark_changed(db, one.server.name, one.tool.name, world.now)
        return Outcome(False, CHANGED.format(one.server.name))
    return Outcome(bool(answer.get("ok")), str(answer.get("text", "")))


_open: dict[tuple[Path, str], _Connection] = {}
_locks: dict[tuple[Path, str], threading.Lock] = {}
_away: dict[tuple[Path, str, str], float] = {}


def _send_request(data: Path, server: Server, request: Mapping[str, Any], asking: Asking) -> dict[str, Any]:
    """Send one request to a server, one at a time. Raises NotThere and BadSetting."""
    key = (data, server.name)
    lock = _locks.setdefault(key, threading.Lock())
    end = time.monotonic() + START_S + server.timeout_s
    if not lock.acquire(timeout=START_S + server.timeout_s):
        raise NotThere(LATE.format(START_S + server.timeout_s))
    try:
        connection = _open.get(key)
        if connection is None or connection.server != server or not connection.alive:
            if connection is not None:
                connection.end()
            connection = _open[key] = _begin_connection(data, server, asking)
        answer: dict[str, Any] = {"over": True}
        try:
            with asking.of(connection):
                answer = connection.ask(request, min(end, time.monotonic() + server.timeout_s), server.timeout_s)
            if answer.get("late"):
                raise Late(LATE.format(server.timeout_s))
        except Late:
            _away[data, server.name, identity(server)] = time.monotonic()
            raise
        finally:
            if answer.get("over"):
                connection.end()
                del _open[key]
        return answer
    finally:
        lock.release()


def _begin_connection(data: Path, server: Server, asking: Asking) -> _Connection:
    known = (data, server.name, identity(server))
    if time.monotonic() - _away.get(known, -RETRY_S) < RETRY_S:
        raise NotThere("It was not there or did not answer a moment ago, and is tried again in a minute.")
    env, headers = configured.load_env_and_headers(data, server)
    connection = _Connection(server)
    try:
        order = {**asdict(server), "env": env, "headers": headers, "road": outbound.road().told}
        with asking.of(connection):
            answer = connection.ask(order, time.monotonic() + START_S, START_S)
        if not answer.get("ok"):
            raise NotThere(f"It cannot be reached: {answer.get('text', '')}")
    except NotThere:
        connection.end()
        if not asking.over:
            _away[known] = time.monotonic()
        raise
    return connection


class _Connection:
    """The bridge process of one server."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._rest = b""
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-s", "-m", PROGRAM],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=ROOT,
                env={},
                start_new_session=True,
            )
        except OSError as error:
            raise NotThere(f"No process could be started for it ({error.strerror}).") from None

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, request: Mapping[str, Any], until: float, limit_s: float) -> dict[str, Any]:
        """Send a line and return the answer. Raises NotThere without one by `until` (monotonic)."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            answer = json.loads(self._line(until, limit_s))
        except (OSError, ValueError, RecursionError):
            raise NotThere(GONE) from None
        if not isinstance(answer, dict):
            raise NotThere(GONE)
        return answer

    def _line(self, until: float, limit_s: float) -> bytes:
        assert self._process.stdout is not None
        number = self._process.stdout.fileno()
        while b"\n" not in self._rest:
            left = until - time.monotonic()
            if left <= 0 or not select.select([number], [], [], left)[0]:
                raise Late(LATE.format(limit_s))
            piece = os.read(number, 1 << 16)
            if not piece or len(self._rest) > LONGEST_LINE:
                raise NotThere(GONE)
            self._rest += piece
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def break_off(self) -> None:
        """Kill the bridge and its children (own process groups); waiting callers get NotThere."""
        survivors.kill({self._process.pid, *survivors.groups_below(self._process.pid)})

    def end(self) -> None:
        """Kill it, reap the process, and close the pipes."""
        self.break_off()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()  # type: ignore[union-attr]
