"""`/healthz`, `/readyz` and `/metrics` of a host, answered by the listener's own event loop, so
that an answer proves that it runs. Only figures: no name of a home, no word of a message."""

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from socket import gethostname

from furoshiki.core.errors import in_words
from furoshiki.core.network.addresses import place
from furoshiki.core.process import prometheus
from furoshiki.core.process.prometheus import Family, Sample, one
from furoshiki.host.job_figures import Jobs, load_jobs
from furoshiki.host.rules.readiness import Seen, list_missing, lives

log = logging.getLogger(__name__)

MOST_AT_ONCE = 16  # connections at a time; further ones are closed at once
DEADLINE_SECONDS = 2.0  # seconds in which a request must arrive and its answer be taken
MOST_BYTES = 4096  # bytes of a request's head

TRY_AGAIN_SECONDS = 30.0

# seconds for which the result of the disk check is cached: requests must not wear the disk out
PROBE_SECONDS = 10.0

_REASONS = {200: "OK", 400: "Bad Request", 404: "Not Found", 405: "Method Not Allowed", 503: "Service Unavailable"}


class Disk:
    """Checks by writing whether a folder is writable."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "health.probe"
        self._found: str | None = None
        self._until = 0.0

    async def trouble(self) -> str | None:
        """Return why the folder cannot be written; None when it can."""
        now = asyncio.get_running_loop().time()
        if now >= self._until:
            self._until = now + PROBE_SECONDS
            try:
                self._found = await asyncio.wait_for(asyncio.to_thread(self._try_writing), DEADLINE_SECONDS / 2)
            except TimeoutError:
                self._found = "it does not answer"
        return self._found

    def _try_writing(self) -> str | None:
        try:
            self._path.write_bytes(bytes(4096))
            self._path.unlink()
        except OSError as error:
            return error.strerror or type(error).__name__
        return None


class Health:
    """The HTTP answers. `see` returns the host's state; `run` is its folder of run files."""

    def __init__(self, run: Path, see: Callable[[], Seen]) -> None:
        self._run = run
        self._disk = Disk(run)
        self._see = see
        self._open = 0

    @contextlib.asynccontextmanager
    async def served(self, at: str | None) -> AsyncIterator[None]:
        """Serve at the address in the setting while the context lasts; without one, serve nothing.

        When the address is taken, this is logged and tried again: the listener must go on without
        it.
        """
        if at is None:
            yield
            return
        task = asyncio.create_task(self._serve(*place(at)), name="health")
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _serve(self, host: str, port: int) -> None:
        while True:
            try:
                server = await asyncio.start_server(self._answer, host, port, limit=MOST_BYTES, backlog=MOST_AT_ONCE)
            except OSError as error:
                log.error("FUROSHIKI_HOST_HEALTH: nothing can listen at %s:%d (%s)", host, port, in_words(error))
                await asyncio.sleep(TRY_AGAIN_SECONDS)
                continue
            try:
                await asyncio.Event().wait()
            finally:
                server.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open += 1
        try:
            if self._open <= MOST_AT_ONCE:
                async with asyncio.timeout(DEADLINE_SECONDS):
                    writer.write(await self._response(await reader.readuntil(b"\r\n\r\n")))
                    await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # a slow or oversized request gets no answer
        finally:
            self._open -= 1
            writer.close()

    async def _response(self, head: bytes) -> bytes:
        words = head.partition(b"\r\n")[0].split(b" ")
        if len(words) != 3 or not words[2].startswith(b"HTTP/1."):
            return _build_response(400, "{}")
        if words[0] not in (b"GET", b"HEAD"):
            return _build_response(405, "{}", "Allow: GET, HEAD\r\n")
        return await self._at(words[1].partition(b"?")[0], words[0] == b"HEAD")

    async def _at(self, path: bytes, only_head: bool) -> bytes:
        if path == b"/healthz":
            well = lives(self._see())
            return _build_response(200 if well else 503, json.dumps({"lives": well}), only_head=only_head)
        if path == b"/readyz":
            found = list_missing(self._see(), await self._disk.trouble())
            answer = json.dumps({"ready": not found, "missing": found})
            return _build_response(503 if found else 200, answer, only_head=only_head)
        if path == b"/metrics":
            seen = self._see()
            families = figures(
                seen, not list_missing(seen, await self._disk.trouble()), load_jobs(self._run), gethostname()
            )
            return _build_response(200, prometheus.render(families), kind=prometheus.CONTENT_TYPE, only_head=only_head)
        return _build_response(404, "{}", only_head=only_head)


def _build_response(
    status: int, body: str, more: str = "", *, kind: str = "application/json", only_head: bool = False
) -> bytes:
    content = body.encode()
    head = (
        f"HTTP/1.1 {status} {_REASONS[status]}\r\nContent-Type: {kind}\r\nContent-Length: {len(content)}\r\n"
        f"Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n{more}\r\n"
    )
    return head.encode() + (b"" if only_head else content)


def figures(seen: Seen, ready: bool, jobs: Jobs, node: str) -> list[Family]:
    """Return the metrics of `/metrics`."""
    ended = [one(jobs.done - jobs.failed, outcome="ok"), one(jobs.failed, outcome="failed")]
    return [
        _gauge("info", "Which node answers; always 1.", one(1, node=node)),
        _gauge("ready", "Whether it takes messages.", one(int(ready))),
        _gauge(
            "homes",
            "Homes; those that rest are held back by their operator.",
            *(one(getattr(seen, state), state=state) for state in ("awake", "asleep", "resting")),
        ),
        _gauge("homes_in_trouble", "Homes that cannot be woken or used.", one(seen.troubled)),
        _gauge("homes_set_aside", "Homes for which messages are kept aside.", one(seen.aside)),
        _gauge(
            "bots",
            "Bots, and whether their messages come in.",
            one(seen.hearing, state="hearing"),
            one(seen.bots - seen.hearing, state="deaf"),
        ),
        _gauge(
            "jobs",
            "Jobs of all homes that are being done, or wait for a process.",
            one(jobs.running, state="running"),
            one(jobs.waiting, state="waiting"),
        ),
        Family("furoshiki_host_jobs_total", "counter", "Jobs that ended since the brain began.", ended),
    ]


def _gauge(name: str, about: str, *samples: Sample) -> Family:
    return Family(f"furoshiki_host_{name}", "gauge", about, samples)
