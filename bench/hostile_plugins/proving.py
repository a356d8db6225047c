"""Runs hostile plugins in this machine's sandbox, and checks their results and side effects.

They get a purpose-built environment: a data directory with keys, a database, a backup and another
plugin, listening sockets, and a victim process. Nothing real is exposed except what any program of
this machine could reach (/etc/shadow, the home directory).
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import secrets
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from bench.hostile_plugins import attempts
from bench.hostile_plugins.attempts import ATTEMPTS, Attempt
from furoshiki.core.paths import ROOT
from furoshiki.core.process import trees
from furoshiki.extensions.plugins.broker.caller import Caller
from furoshiki.extensions.plugins.broker.serving import Serving
from furoshiki.extensions.plugins.running import judge
from furoshiki.extensions.plugins.sandbox import disk, seccomp
from furoshiki.extensions.plugins.sandbox.command import SYSTEM, CannotHold, command, interpreter
from furoshiki.extensions.plugins.sandbox.supervising import supervise
from furoshiki.extensions.plugins.sandbox.values import Backend, Ended, Layout, Limits
from furoshiki.extensions.plugins.values import Permissions
from furoshiki.world import World

AT_ONCE = 4
"""Plugins run in parallel: those that only wait cost nothing."""

LIMITS = Limits(timeout_s=2.5, cpu_s=1, memory_mb=128, data_mb=8, data_files=500, output_kb=256)

PATIENT = replace(LIMITS, timeout_s=20.0, cpu_s=10)

_EVERYTHING = Permissions(
    read_db=True,
    write_mind_queue=True,
    write_db=True,
    llm=True,
    network=("furoshiki.invalid", "localhost", "127.0.0.1", "169.254.169.254"),
)
"""All permissions that an owner could grant, and some hosts that no owner would."""

_SCRIPT = Path(attempts.__file__)

Verdict = Literal["held", "got through", "not tried"]
"""`not tried`: the plugin ended without a result, which proves nothing."""


@dataclass(frozen=True)
class Proof:
    """One attempt under one backend, and the result for people."""

    attempt: Attempt
    verdict: Verdict
    happened: str


def prove(backend: Backend, world: World, chosen: Sequence[Attempt] = ()) -> Iterator[Proof]:
    """Run every attempt (or the chosen ones), in order. Raises CannotHold if the backend is
    unavailable.

    `world` is what the broker serves: an empty one for this test.
    """
    with _Place() as place, ThreadPoolExecutor(AT_ONCE) as beside:
        yield from beside.map(lambda one: _prove(backend, one, place, world), chosen or list(ATTEMPTS.values()))


def _prove(backend: Backend, one: Attempt, place: _Place, world: World) -> Proof:
    """Run one attempt; if the machine was too slow, again with more time."""
    found = _try_once(backend, one, place, world, LIMITS)
    return found if found.verdict != "not tried" else _try_once(backend, one, place, world, PATIENT)


def _try_once(backend: Backend, one: Attempt, place: _Place, world: World, limits: Limits) -> Proof:
    folder = place.plugin(one.name)
    layout = _layout(folder)
    given = {**place.there, "attempt": one.name, "folder": str(folder)}

    def ended_with(*kept: int) -> Ended:
        line = command(backend, layout, limits, kept, hidden=(place.home, ROOT))
        told = json.dumps({**given, "broker": kept[0] if kept else None}).encode()
        return supervise(backend, line, told, limits, layout.data, kept)

    async def served() -> Ended:
        granted = _EVERYTHING if one.asks == "everything" else Permissions()
        caller = Caller(folder.name, granted)
        async with Serving(world, caller, asyncio.get_running_loop()) as broker:
            return await asyncio.to_thread(ended_with, broker.fd)

    try:
        ended = asyncio.run(served()) if one.asks else ended_with()
    except OSError as error:
        raise CannotHold(f"it cannot be started: {error}") from error
    status, why, said = judge(ended, limits, disk.over(layout.data, limits))
    if status == "no_sandbox":
        raise CannotHold(why)
    harm = [*place.harm(), *_survivors(folder), *_damage(folder)]
    told = said.data if isinstance(said.data, dict) else {}
    if "got" in told:
        harm.append(f"it got {told['got']}")
    elif one.endless and status == "ok" and "held" not in told:
        harm.append("nothing stopped it")
    if harm:
        return Proof(one, "got through", "; ".join(harm))
    if ended.code == -signal.SIGSYS:
        return Proof(one, "held", "the kernel ended it for a call that is refused here")
    happened = str(told.get("held") or f"{status}: {why}").replace(str(place.home), "…")
    return Proof(one, "held" if one.endless or "held" in told else "not tried", happened)


def _layout(folder: Path) -> Layout:
    code = (folder / "PLUGIN.md", folder / "scripts", folder / "packages")
    return Layout(folder / "scripts" / _SCRIPT.name, folder / "data", code, imports=(code[2], code[1]))


@dataclass
class _Place:
    """The targets of the attempts. `there` is their description for the plugins."""

    there: dict[str, Any] = field(default_factory=dict)

    def __enter__(self) -> _Place:
        self._open = contextlib.ExitStack()
        self.home = Path(self._open.enter_context(tempfile.TemporaryDirectory(prefix="furoshiki-hostile-")))
        mark = f"furoshiki-{secrets.token_hex(6)}"
        other = self.home / "plugins" / "other"
        files = {
            "env": self.home / ".env",
            "database": self.home / "memory" / "longmemory.sqlite",
            "backup": self.home / "backups" / "backup.tar",
            "other_script": other / "scripts" / "run.py",
            "other_data": other / "data" / "kept",
        }
        for path in files.values():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"A_KEY={mark}\n")
        self._kept = [*files.values()]
        self._before = self._state()
        self._sockets = self._listening(mark)
        victim = self._open.enter_context(subprocess.Popen(["sleep", "600"], stdin=subprocess.DEVNULL, env={}))
        self._open.callback(victim.kill)
        self._victim, self._order = victim, self._standing(victim.pid)
        inherited = os.open(files["env"], os.O_RDONLY)
        os.set_inheritable(inherited, True)
        self._open.callback(os.close, inherited)
        machine = seccomp.machine()
        user_home = str(Path.home())
        shown = (str(interpreter()), sys.base_prefix, str(ROOT), str(self.home))
        self.there |= {
            **{name: str(path) for name, path in files.items()},
            "home": str(self.home),
            "other": str(other),
            "mark": mark,
            "checkout": str(ROOT),
            "user_home": user_home,
            "on_the_way": [one for path in shown for one in Path(path).relative_to("/").parts],
            "parent": os.getpid(),
            "victim": victim.pid,
            "inherited": inherited,
            "numbers": seccomp.numbers(machine) if machine else {},
            "libraries": [str(one) for path in SYSTEM for one in sorted(Path(path).glob("*/libc.so.6"))],
        }
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()
        Path("/tmp", self.there["mark"]).unlink(missing_ok=True)

    def plugin(self, name: str) -> Path:
        """Create a plugin folder for one attempt."""
        folder = Path(tempfile.mkdtemp(prefix=f"{name.replace('_', '-')}-", dir=self.home / "plugins"))
        for inside in ("scripts", "packages", "data"):
            (folder / inside).mkdir(parents=True)
        (folder / "PLUGIN.md").write_text("permissions: {}\n")
        shutil.copy(_SCRIPT, folder / "scripts")
        return folder

    def harm(self) -> Iterator[str]:
        """Yield the damage: changed files, a harmed process, sockets with data."""
        after = self._state()
        yield from (f"{path.name} was changed" for path in self._kept if after[path] != self._before[path])
        if self._victim.poll() is not None:
            yield "another process was ended"
        elif self._standing(self._victim.pid) != self._order:
            yield "another process was slowed down or limited"
        heard, _, _ = select.select(self._sockets, [], [], 0)
        if heard:
            yield "a socket outside heard it"
        if Path("/tmp", self.there["mark"]).exists():
            yield "it wrote into /tmp"

    def _state(self) -> dict[Path, object]:
        return {path: _state(path) for path in self._kept}

    def _standing(self, pid: int) -> object:
        with contextlib.suppress(OSError):
            limits = Path(f"/proc/{pid}/limits").read_text()
            return os.getpriority(os.PRIO_PROCESS, pid), os.sched_getaffinity(pid), limits
        return None

    def _listening(self, mark: str) -> list[socket.socket]:
        kinds = (
            (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
            (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
            (socket.AF_UNIX, socket.SOCK_STREAM, str(self.home / "socket")),
            (socket.AF_UNIX, socket.SOCK_STREAM, "\0" + mark),
            (socket.AF_UNIX, socket.SOCK_DGRAM, str(self.home / "datagrams")),
        )
        made = []
        for family, kind, address in kinds:
            one = self._open.enter_context(socket.socket(family, kind))
            one.bind(address)
            if kind == socket.SOCK_STREAM:
                one.listen()
            made.append(one)
        self.there |= {
            "tcp": made[0].getsockname()[1],
            "udp": made[1].getsockname()[1],
            "unix": str(self.home / "socket"),
            "unix_datagram": str(self.home / "datagrams"),
        }
        return made


def _state(path: Path) -> object:
    try:
        about = path.stat()
        what = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        return type(error).__name__
    return what, about.st_mode, about.st_uid, about.st_gid, about.st_mtime_ns, os.listxattr(path)


def _survivors(folder: Path) -> Iterator[str]:
    """Yield processes of this plugin that are still running."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if f"{folder}/".encode() in path.read_bytes():
                yield f"process {path.parent.name} is still there"


def _damage(folder: Path) -> Iterator[str]:
    """Yield changes of the plugin's own protected files."""
    if (folder / "PLUGIN.md").read_text() != "permissions: {}\n":
        yield "its manifest was changed"
    script = folder / "scripts" / _SCRIPT.name
    if not script.exists() or script.read_bytes() != _SCRIPT.read_bytes():
        yield "its script was changed"
    if not (folder / "data").is_dir() or any((folder / "packages").iterdir()):
        yield "its folder was changed"
    odd = [path.name for path in trees.files(folder / "data") if not path.is_dir() and not path.is_file()]
    yield from (f"{name} in its storage is no file" for name in odd)
