"""One memoryd for all homes of a host: a shared encoder; separate databases, vectors and caches.

A request contains its home's name and the key stored in that home's `run/`. Each home is opened at
its first request, has its own threads, and is closed when it is idle or others need the room, never
during work: a failure or hang in one home does not affect others. A few threads compute vectors for
the waiting homes in turn, one batch at a time; a closed home costs nothing.

All bookkeeping is done in the event loop; blocking work is done in threads.
"""

import asyncio
import contextlib
import hmac
import json
import logging
import os
import stat
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from furoshiki.core import no_symlinks
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.paths import is_home_name
from furoshiki.core.process.priority import give_way
from furoshiki.recall.retrieval.client import KEY, KEY_BYTES, reachable
from furoshiki.recall.retrieval.memoryd.held_index import HeldIndex
from furoshiki.recall.retrieval.memoryd.keeper import give_back
from furoshiki.recall.retrieval.memoryd.served_index import ServedIndex
from furoshiki.recall.retrieval.memoryd.server import PATIENCE_SECONDS
from furoshiki.recall.retrieval.memoryd.service import Service, TalkClock

MOST_OPEN = 24  # open homes, 3 MB each with a thousand turns; more only while that many are at work

# bytes of the vectors of all open homes; beyond, the least recently used home is closed
MOST_BYTES_HELD = 192 * 1024 * 1024

IDLE_SECONDS = 300.0  # the idle time after which a home is closed
ANSWERING = 2  # concurrent requests of one home; its others wait
KEEPING = 2  # homes that get vectors at the same time

# how long until a home with remaining work (design documents, failed rows) is tried again
AGAIN_SECONDS = 60.0

LOOK_SECONDS = 5.0

MOST_REQUEST = 16 * 1024 * 1024
MOST_WAITING = 64  # waiting requests of one home

REFUSED = "no such home, or the key is not that of the home: it lies in run/memoryd.key of its data directory"
NO_REQUEST = "bad request: an object with op, home and key"
CROWDED = "too many requests of this home are waiting"

FAREWELL_SECONDS = 8.0  # how long homes may take to close when the process ends

T = TypeVar("T")

log = logging.getLogger("memoryd")

_about: ContextVar[str] = ContextVar("_about", default="")


class HomeInLog(logging.Filter):
    """A log filter that puts the home's name before its messages."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True; no message is dropped."""
        if _about.get():
            record.msg = f"{_about.get()}: {record.msg}"
        return True


@dataclass
class Opened:
    """What is open of a home: `lease` holds chroma.lock."""

    service: Service
    index: HeldIndex | ServedIndex
    lease: int

    def close(self) -> None:
        """Close all of it."""
        try:
            self.service.close()
        finally:
            os.close(self.lease)


@dataclass
class _Home:
    name: str
    pool: ThreadPoolExecutor
    used_at: float
    opened: Opened | None = None
    working: int = 0  # requests under way or waiting, and rounds of the keeper
    closing: bool = False
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    idle: asyncio.Event = field(default_factory=asyncio.Event)
    gone: asyncio.Event = field(default_factory=asyncio.Event)


class Homes:
    """All homes of a host. `open_home` opens one by name, in a thread of that home, or raises."""

    def __init__(
        self,
        root: Path,
        open_home: Callable[[str], Opened],
        *,
        most_open: int = MOST_OPEN,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        """Must be called inside the event loop."""
        self._root = root
        self._open_home = open_home
        self._most_open = most_open
        self._idle_seconds = idle_seconds
        self._loop = asyncio.get_running_loop()
        self._homes: OrderedDict[str, _Home] = OrderedDict()
        self._keepers = ThreadPoolExecutor(KEEPING, "keeper", give_way)
        self._wanting: OrderedDict[str, bool] = OrderedDict()
        self._wanted = asyncio.Event()
        self._later: dict[str, asyncio.TimerHandle] = {}
        self._owed: OrderedDict[str, None] = OrderedDict()
        self._keeping: set[str] = set()
        self._freed = False
        self._tasks: set[asyncio.Task[object]] = set()
        self.last_asked = self._loop.time()
        self._last_talk = TalkClock()

    @property
    def busy(self) -> bool:
        """Whether any work is under way."""
        return bool(self._wanting or self._owed) or any(home.working for home in self._homes.values())

    # -- requests --

    async def answer(self, request: object) -> dict[str, Any]:
        """Return the answer to one request; never raises."""
        self.last_asked = self._loop.time()
        self._last_talk.note(request)
        if not isinstance(request, dict):
            return {"ok": False, "error": NO_REQUEST}
        name, key = request.get("home"), request.get("key")
        if not await asyncio.to_thread(_is_key, self._root, name, key):
            return {"ok": False, "error": REFUSED}
        assert isinstance(name, str)
        if request.get("op") == "stop":
            await self.let_go(name)
            return {"ok": True}
        return await self._answer(name, {what: one for what, one in request.items() if what != "key"})

    async def _answer(self, name: str, request: dict[str, Any]) -> dict[str, Any]:
        try:
            async with self._use_home(name) as home:
                home.used_at = self._loop.time()
                self._homes.move_to_end(name)
                if home.working > MOST_WAITING:
                    return {"ok": False, "error": CROWDED}
                opened = await self._awake(home)
                return await self._in_thread(home, lambda: opened.service.answer(request))
        except FuroshikiError as error:
            return {"ok": False, "error": str(error)}
        except Exception as error:  # outermost handler of a home: the caller gets an error, and other homes go on
            log.exception("%s cannot be asked", name)
            return {"ok": False, "error": f"{type(error).__name__}: {error}"}

    @contextlib.asynccontextmanager
    async def _use_home(self, name: str) -> AsyncIterator[_Home]:
        """Yield the home, which is not closed inside the context."""
        while (home := self._homes.get(name)) is not None and home.closing:
            await home.gone.wait()
        if home is None:
            pool = ThreadPoolExecutor(ANSWERING, thread_name_prefix=name)
            home = self._homes[name] = _Home(name, pool, self._loop.time())
        home.working += 1
        home.idle.clear()
        try:
            yield home
        finally:
            home.working -= 1
            if not home.working:
                home.idle.set()
                if home.opened is None:  # it could not be opened
                    self._homes.pop(name, None)
                    home.pool.shutdown(wait=False)
                    home.gone.set()

    async def _awake(self, home: _Home) -> Opened:
        async with home.opening:
            if home.opened is None:
                self._make_room(home)
                opened = await self._in_thread(home, lambda: self._open_home(home.name))
                opened.service.keeper.on_wake = lambda: self._woken(home.name)
                opened.service.keeper.is_talked_to = self._last_talk.is_recent
                home.opened = opened
                self._wants(home.name)
            return home.opened

    async def _in_thread(self, home: _Home, work: Callable[[], T]) -> T:
        return await self._loop.run_in_executor(home.pool, lambda: _run_named(home.name, work))

    # -- closing --

    async def let_go(self, name: str) -> None:
        """Close a home after its current work; the next request opens it again."""
        home = self._homes.get(name)
        if home is None:
            return
        if home.closing:
            await home.gone.wait()
            return
        home.closing = True
        self._forget_work(name)
        if home.opened is not None:
            home.opened.service.keeper.end()
        if home.working:
            await home.idle.wait()
        if self._homes.get(name) is home:
            await self._close_home(home)

    def _forget_work(self, name: str) -> None:
        self._wanting.pop(name, None)
        self._owed.pop(name, None)
        if (timer := self._later.pop(name, None)) is not None:
            timer.cancel()

    async def _close_home(self, home: _Home) -> None:
        home.closing = True
        opened, home.opened = home.opened, None
        try:
            if opened is not None:
                await self._in_thread(home, opened.close)
        except Exception:  # outermost handler of a home: its files may be deleted, other homes go on
            log.exception("%s was not closed as it should be", home.name)
        finally:
            home.pool.shutdown(wait=False)
            self._homes.pop(home.name, None)
            home.gone.set()
            self._freed = True
            self._wanted.set()

    def _close_soon(self, home: _Home) -> None:
        """Close an idle home; its waiting work is done later, when there is room."""
        home.closing = True
        owed = home.name in self._wanting
        self._forget_work(home.name)
        if owed:
            self._owed[home.name] = None
        self._spawn(self._close_home(home))

    def _make_room(self, newcomer: _Home) -> None:
        """Close the least recently used homes until one more may be open, without waiting."""
        there = [home for home in self._homes.values() if home.opened is not None and not home.closing]
        held_bytes = sum(home.opened.index.held_bytes for home in there if home.opened is not None)
        for home in sorted(there, key=lambda one: one.used_at):
            if len(there) < self._most_open and held_bytes <= MOST_BYTES_HELD:
                return
            if home is not newcomer and not home.working and home.opened is not None:
                there.remove(home)
                held_bytes -= home.opened.index.held_bytes
                self._close_soon(home)

    async def look(self) -> None:
        """Close idle homes, forever."""
        while True:
            await asyncio.sleep(min(LOOK_SECONDS, self._idle_seconds / 2))
            for home in list(self._homes.values()):
                rests = self._loop.time() - home.used_at >= self._idle_seconds
                if rests and not home.working and not home.closing and home.name not in self._wanting:
                    self._close_soon(home)
            if self._freed:
                self._freed = False
                self._keepers.submit(give_back)

    async def close(self) -> bool:
        """Finish the current batches and close; return False if a home did not end in time."""
        going = [asyncio.create_task(self.let_go(name)) for name in list(self._homes)]
        if going:
            await asyncio.wait(going, timeout=FAREWELL_SECONDS)
        self._keepers.shutdown(wait=False)
        return not self._homes

    # -- rounds of the keepers --

    def _woken(self, name: str) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: the process is ending
            self._loop.call_soon_threadsafe(self._wants, name)

    def _wants(self, name: str, quiet: bool = False) -> None:
        """Queue a home for work; `quiet`: without a request."""
        if (timer := self._later.pop(name, None)) is not None:
            timer.cancel()
        home = self._homes.get(name)
        if home is not None and not home.closing:
            self._wanting[name] = quiet and self._wanting.get(name, True)
            self._wanted.set()

    async def keep(self) -> None:
        """Process the queued homes, forever."""
        await asyncio.gather(*(self._keeps() for _ in range(KEEPING)))

    async def _keeps(self) -> None:
        while True:
            name = next((one for one in self._wanting if one not in self._keeping), None)
            if name is not None:
                self._keeping.add(name)
                try:
                    await self._round(name, self._wanting.pop(name))
                finally:
                    self._keeping.discard(name)
                    self._wanted.set()
            elif self._owed and not self._wanting:
                await self._reopen(self._owed.popitem(last=False)[0])
            else:
                self._wanted.clear()
                await self._wanted.wait()

    async def _round(self, name: str, quiet: bool) -> None:
        home = self._homes.get(name)
        if home is None or home.closing or home.opened is None:
            return
        keeper = home.opened.service.keeper
        home.working += 1
        home.idle.clear()
        try:
            end = await self._loop.run_in_executor(
                self._keepers,
                lambda: _run_named(name, lambda: keeper.round(lambda: quiet and not self._wanting, self._is_crowded)),
            )
        finally:
            home.working -= 1
            if not home.working:
                home.idle.set()
        if end == "done" or home.closing or name in self._wanting:
            return
        if end == "cut":
            self._wants(name, quiet)
        else:
            self._later[name] = self._loop.call_later(AGAIN_SECONDS, self._wants, name, True)

    def _is_crowded(self) -> bool:
        """Whether other homes wait for a turn after this batch."""
        return bool(self._wanting)

    async def _reopen(self, name: str) -> None:
        """Open a home again that was closed with work waiting."""
        try:
            async with self._use_home(name) as home:
                await self._awake(home)
        except Exception as error:  # outermost handler of a home: the next request opens it again
            log.warning("%s cannot be opened: %s", name, error)

    def _spawn(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def serve(homes: Homes, path: Path, stop: asyncio.Event, idle_seconds: float) -> str:
    """Answer at a socket until `stop`, or until idle for `idle_seconds`; return why it ended.

    The caller holds the lock of the host's memoryd.
    """
    path.unlink(missing_ok=True)

    async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, ValueError, TimeoutError, RecursionError):
            async with asyncio.timeout(PATIENCE_SECONDS):
                line = await reader.readline()
            if line.endswith(b"\n"):
                answer = await homes.answer(_parse_json(line))
                writer.write(json.dumps(answer).encode() + b"\n")
                async with asyncio.timeout(PATIENCE_SECONDS):
                    await writer.drain()
        writer.close()

    with reachable(path) as address:
        server = await asyncio.start_unix_server(one, address, limit=MOST_REQUEST, backlog=256)
    path.chmod(0o600)
    ours = path.stat().st_ino
    tasks = [asyncio.create_task(homes.keep()), asyncio.create_task(homes.look())]
    try:
        return await _until(homes, path, ours, stop, idle_seconds, tasks)
    finally:
        server.close()
        with contextlib.suppress(OSError):
            if path.stat().st_ino == ours:  # the next client finds no socket and starts a new memoryd
                path.unlink()
        for task in tasks:
            task.cancel()


async def _until(
    homes: Homes, path: Path, ours: int, stop: asyncio.Event, idle_seconds: float, tasks: list[asyncio.Task[None]]
) -> str:
    loop = asyncio.get_running_loop()
    while True:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), min(LOOK_SECONDS, idle_seconds))
            return "stopped"
        for task in tasks:
            if task.done():
                task.result()
        if not path.exists() or path.stat().st_ino != ours:
            return "the socket was removed"
        if homes.busy:
            homes.last_asked = loop.time()
        if loop.time() - homes.last_asked >= idle_seconds:
            return f"nobody asked for {idle_seconds / 60:.1f} minutes"


def _parse_json(line: bytes) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _is_key(root: Path, name: object, key: object) -> bool:
    if not is_home_name(name) or not isinstance(key, str) or len(key) != 2 * KEY_BYTES or not key.isascii():
        return False
    try:
        with no_symlinks.open_file(root / str(name) / "run" / KEY) as file:
            content = file.read(4 * KEY_BYTES) if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else b""
    except OSError:
        return False
    return len(content) == 2 * KEY_BYTES and hmac.compare_digest(content, key.encode())


def _run_named(name: str, work: Callable[[], T]) -> T:
    with _in_log(name):
        return work()


@contextlib.contextmanager
def _in_log(name: str) -> Iterator[None]:
    token = _about.set(name)
    try:
        yield
    finally:
        _about.reset(token)
