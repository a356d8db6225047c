"""The broker of a plugin's run: checks each request against the permissions and executes it.

It runs in its own thread, so that a slow or hostile plugin blocks nothing else. Access to the World
(changes, thoughts, models) happens on the event loop, like all other access; database queries and
HTTP requests run in the thread.
"""

import asyncio
import concurrent.futures
import contextlib
import json
import logging
import socket
import threading
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from furoshiki.core import refs
from furoshiki.core.errors import AnswerUnusable, NoMindAnswered, StorageUnavailable
from furoshiki.core.timestamps import day_start
from furoshiki.extensions.plugins.broker import changes, egress, mail, thoughts
from furoshiki.extensions.plugins.broker.caller import Caller
from furoshiki.extensions.plugins.rules import asking, hosts
from furoshiki.extensions.plugins.rules.asking import Refused
from furoshiki.extensions.plugins.store import reading
from furoshiki.models.llm.background import patiently
from furoshiki.models.llm.store import costs
from furoshiki.models.llm.values import Block, Message, Question
from furoshiki.world import World

# -- the channel: JSON Lines over a socket pair, in turn --
#
# The plugin may send anything or nothing, or never read: lines, depth, number and time are limited.
# Invalid requests get an error, or end the connection if a reply may not arrive.


MOST_REQUESTS = 600  # maximum requests in one run
LONGEST_REQUEST = 1024 * 1024  # maximum bytes of a request line

# maximum bytes of a reply line; a server's largest answer (2 MB) fits as base64
LONGEST_REPLY = 4 * 1024 * 1024

SEND_S = 10.0  # timeout in seconds for sending a reply

_CHUNK = 1 << 16


@dataclass(frozen=True)
class Request:
    """A request. `id` is chosen by the plugin and returned in the reply."""

    id: int | str | None
    call: str
    args: dict[str, Any]


@dataclass(frozen=True)
class Garbled:
    """A line that is no valid request, with the reason."""

    reason: str


class Channel:
    """The broker's end of the socket pair. For one thread; any thread may call `close`."""

    def __init__(self, ours: socket.socket) -> None:
        self._socket = ours
        self._unread = bytearray()

    def next(self) -> Request | Garbled | None:
        """Wait for the next request; None when the connection has ended."""
        line = self._line()
        if line is None:
            return None
        if len(line) > LONGEST_REQUEST:
            self.send(None, error=f"a request may have {LONGEST_REQUEST} bytes: ask for less at a time")
            return None
        return _read(line)

    def send(self, id_: int | str | None, value: Any = None, error: str | None = None) -> bool:
        """Send a reply; False when it could not be delivered."""
        reply = {"id": id_, "ok": True, "value": value} if error is None else {"id": id_, "ok": False, "error": error}
        line = json.dumps(reply).encode() + b"\n"
        if len(line) > LONGEST_REPLY:
            line = json.dumps(
                {"id": id_, "ok": False, "error": f"the answer has more than {LONGEST_REPLY} bytes: ask for less"}
            ).encode()
            line += b"\n"
        try:
            self._socket.settimeout(SEND_S)
            self._socket.sendall(line)
        except OSError:
            return False
        return True

    def close(self) -> None:
        """Shut the connection down; waiting calls on both sides return."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def _line(self) -> bytes | None:
        """Read the next line without its end; returns early when it is too long."""
        self._socket.settimeout(None)
        looked_at = 0
        while True:
            end = self._unread.find(b"\n", looked_at)
            if end >= 0:
                line = bytes(self._unread[:end])
                del self._unread[: end + 1]
                return line
            if len(self._unread) > LONGEST_REQUEST:
                return bytes(self._unread)
            looked_at = len(self._unread)
            try:
                got = self._socket.recv(_CHUNK)
            except OSError:
                return None
            if not got:
                return None
            self._unread += got


def _read(line: bytes) -> Request | Garbled:
    try:
        found = json.loads(line)
        json.dumps(found, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:
        return Garbled(f"a request is one JSON object on a line of its own, and this is none ({type(error).__name__})")
    if not isinstance(found, dict):
        return Garbled('a request is one JSON object: {"id": 1, "call": "read_db", "args": {}}')
    id_, call, args = found.get("id"), found.get("call"), found.get("args", {})
    if not isinstance(id_, int | str | None) or not isinstance(call, str) or not isinstance(args, dict):
        return Garbled('a request has an "id" (a number), a "call" (a name) and "args" (an object)')
    return Request(id_, call, args)


log = logging.getLogger(__name__)

LEAVES_S = 1.0  # seconds to wait at the end for a running request; a slow server is abandoned


@dataclass
class Served:
    """Statistics of a run: calls by name, refusals, and the models' cost in US dollars."""

    calls: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    cost_usd: float = 0.0


class Serving:
    """The broker of one run, as a context manager. The plugin's process inherits `fd`; leaving does
    not block the event loop. `done` has the statistics."""

    def __init__(self, world: World, caller: Caller, loop: asyncio.AbstractEventLoop) -> None:
        self.done = Served()
        self._world, self._caller, self._loop = world, caller, loop
        ours, self._theirs = socket.socketpair()
        self._ours, self._channel = ours, Channel(ours)
        self._doing: concurrent.futures.Future[Any] | None = None
        self._ended = threading.Event()
        self._reading_s = 0.0
        self._thread = threading.Thread(target=self._serve, name=f"broker of {caller.name}", daemon=True)

    @property
    def fd(self) -> int:
        """The plugin's end of the socket pair, to be inherited by its process."""
        return self._theirs.fileno()

    async def __aenter__(self) -> "Serving":
        self._thread.start()
        return self

    async def __aexit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._ended.set()
        self._theirs.close()
        self._channel.close()
        doing = self._doing
        if doing is not None:
            doing.cancel()
        await asyncio.to_thread(self._thread.join, LEAVES_S)

    def _serve(self) -> None:
        """Serve requests one by one until the connection ends. Runs in the thread."""
        with contextlib.closing(self._ours):
            for _ in range(MOST_REQUESTS):
                asked = self._channel.next()
                if asked is None or not self._answer(asked):
                    return
            self._channel.send(None, error=f"one run may ask {MOST_REQUESTS} times: ask for more at once")

    def _answer(self, asked: Request | Garbled) -> bool:
        """Execute a request and reply; False when the plugin has closed the connection."""
        if isinstance(asked, Garbled):
            self.done.refused += 1
            return self._channel.send(None, error=asked.reason)
        name = self._caller.name
        try:
            refused = asking.refusal(asked.call, self._caller.granted, self.done.calls[asked.call])
            if refused is not None:
                raise Refused(refused)
            self.done.calls[asked.call] += 1
            return self._channel.send(asked.id, self._do(asked.call, asked.args))
        except (Refused, hosts.NotAllowed, reading.Unreadable) as error:
            reason = str(error)
        except StorageUnavailable as error:
            reason = f"the database cannot be used now ({error}): try again at the next run"
        except OverflowError:
            reason = "a number in it is too large: give one that fits into 64 bits"
        except concurrent.futures.CancelledError:
            reason = "this run is over"
        except Exception:  # log our own errors; the plugin's run continues
            log.exception("plugin %s: %s could not be done", name, asked.call[:40])
            reason = "something went wrong in Furoshiki itself; its log says what"
        self.done.refused += 1
        log.info("plugin %s: %s: %s", name, asked.call[:40], reason)
        return self._channel.send(asked.id, error=reason)

    def _do(self, call: str, args: Mapping[str, Any]) -> Any:
        world, caller = self._world, self._caller
        match call:
            case "read_db":
                sql, params = args.get("sql"), args.get("params", [])
                if not isinstance(sql, str) or not isinstance(params, list):
                    raise Refused('read_db needs "sql", one SELECT, and may have "params", a list')
                return self._read(sql, params)
            case "fetch":
                local = hosts.places(world.settings.furoshiki_plugin_local_hosts or "")
                way = egress.Way(caller.granted.network, caller.settings, local)
                return egress.fetch(egress.Asked.read(args), way, caller.name)
            case "find_mail" | "fetch_mail" | "send_mail":
                local = hosts.places(world.settings.furoshiki_plugin_local_hosts or "")
                return mail.do(call, args, mail.Post(caller, local, world.now))
            case "write_mind_queue":
                return {"new": self._on_loop(_at_once(lambda: thoughts.put(world, caller, caller.struck(args))))}
            case "write_db":
                return self._on_loop(_at_once(lambda: changes.make(world, caller, caller.struck(args))))
            case _:
                value, cost = self._on_loop(think(world, caller, args))
                self.done.cost_usd += cost
                return value

    def _read(self, sql: str, params: list[Any]) -> dict[str, Any]:
        left = asking.READING_S - self._reading_s
        if left <= 0:
            raise Refused(f"the queries of one run may take {asking.READING_S:g} s together: ask for less")
        began = time.monotonic()
        try:
            return reading.rows(self._world.database.path, sql, params, min(left, reading.MOST_S))
        finally:
            self._reading_s += time.monotonic() - began

    def _on_loop(self, doing: Any) -> Any:
        """Run a coroutine on the event loop, and wait for it or for the end of the run."""
        self._doing = asyncio.run_coroutine_threadsafe(doing, self._loop)
        if self._ended.is_set():
            self._doing.cancel()
        try:
            return self._doing.result()
        finally:
            self._doing = None


async def _at_once(do: Any) -> Any:
    return do()


PURPOSE = "plugin:"  # prefix of the purpose of such calls, before the plugin's name

TIMEOUT_S = 30.0


async def think(world: World, caller: Caller, args: Mapping[str, Any]) -> tuple[dict[str, Any], float]:
    """Return the model's answer, and its cost in US dollars. Raises Refused."""
    system = asking.text(args, "system", asking.LONGEST_PROMPT)
    prompt = asking.text(args, "prompt", asking.LONGEST_PROMPT - len(system))
    tokens = args.get("max_tokens", 300)
    if not prompt:
        raise Refused('"prompt" is what the model is asked')
    if not isinstance(tokens, int) or not 1 <= tokens <= asking.MOST_TOKENS:
        raise Refused(f'"max_tokens" is a number from 1 to {asking.MOST_TOKENS}')
    _in_budget(world)
    question = Question(
        tier="micro",
        purpose=f"{PURPOSE}{caller.name}",
        system=(Block(world.prompts.render("plugins/work", system=system)),),
        messages=(Message("user", prompt),),
        max_tokens=tokens,
        timeout_s=TIMEOUT_S,
        turn_key=refs.name("plugins", caller.name),
    )
    try:
        answer = await patiently(world, question, world.now)
    except (AnswerUnusable, NoMindAnswered) as error:
        raise Refused(
            f"there is no model to ask just now ({error}): do without, or try again at the next run"
        ) from error
    return {"text": answer.text, "complete": answer.finish == "stop"}, answer.cost_usd


def _in_budget(world: World) -> None:
    most = world.settings.furoshiki_plugin_day_usd
    with world.database.read() as db:
        spent = costs.spent_for(db, PURPOSE, day_start(world.now))
    if spent >= most:
        raise Refused(
            f"what plugins may spend on models today is spent (${spent:.2f} of ${most:.2f}): its owner can allow more "
            "with FUROSHIKI_PLUGIN_DAY_USD"
        )
