"""Serves the pages to one phone in the owner's network: at one address, encrypted if a certificate
can be made, until they were unused for an hour."""

import asyncio
import contextlib
import hashlib
import logging
import os
import secrets
import ssl
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from socket import socket

from fastapi import FastAPI
from fastapi.responses import PlainTextResponse
from starlette.datastructures import State
from starlette.types import Message, Receive, Scope, Send

from furoshiki.app.wiring import SystemClock, build_world, prepare
from furoshiki.core import atomic_files
from furoshiki.core.errors import AlreadyRunning
from furoshiki.core.logins import addresses, lan
from furoshiki.core.logins.lan import Opening
from furoshiki.core.logins.ledger import Ledger
from furoshiki.core.process.interrupts import make_stop_event
from furoshiki.core.settings import Settings
from furoshiki.faces.dashboard import server
from furoshiki.faces.dashboard.access.guard import Gate
from furoshiki.faces.dashboard.access.rules import patience
from furoshiki.faces.dashboard.app import create_app
from furoshiki.faces.dashboard.running import CACHE_KB, POLITE

log = logging.getLogger(__name__)

UNUSED_S = 3600.0  # seconds without use after which the pages are closed

LOOK_S = 1.0

# paths that an open page requests by itself: they do not count as use
BY_ITSELF = ("/events", "/parts/", "/static/")

FRESH_S = 300 * 86400.0
# seconds for which a certificate is reused, so that a phone warns only once; and its validity
_VALID_DAYS = "365"

AWAY = "These pages answer in their owner's own network alone.\n"
ALREADY = "the pages are open for a phone already"


class OneNetwork:
    """The application, for private networks only. `used_at` is the last use by a signed-in visitor
    (seconds of the monotonic clock)."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app
        self.state: State = app.state
        self.used_at = time.monotonic()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        host = str((scope.get("client") or ("", 0))[0])
        if not (lan.is_private(host) or patience.peer(host) is None):  # this machine may use it, too
            await PlainTextResponse(AWAY, 403, {"Connection": "close"})(scope, receive, send)
            return

        async def noted(message: Message) -> None:
            visitor = scope.get("state", {}).get("visitor")
            if visitor is not None and not str(scope["path"]).startswith(BY_ITSELF):
                self.used_at = time.monotonic()
            await send(message)

        await self._app(scope, receive, noted)


def alone(settings: Settings, address: str, ready: Callable[[Opening], None]) -> None:
    """Serve until the pages are unused, closed, or the parent process ends; calls `ready` when it
    answers. Raises AlreadyRunning, CannotListen, StorageUnavailable."""
    prepare(settings.data)

    def up(opening: Opening) -> None:
        ready(opening)
        os.nice(POLITE)  # only now: the caller waits for it

    async def serving() -> None:
        await hold_open(settings, address, make_stop_event(), up)

    asyncio.run(serving())


async def hold_open(
    settings: Settings, address: str, stop: asyncio.Event, ready: Callable[[Opening], None], unused_s: float = UNUSED_S
) -> None:
    """Serve like `alone`, at most until `stop` is set."""
    run, clock = settings.data / "run", SystemClock()
    with _hold_lock(run / lan.LOCK), _bound(address, settings.furoshiki_dashboard_port) as at:
        certificate = make_certificate(run, address, clock.now())
        port, scheme = at.getsockname()[1], "http" if certificate is None else "https"
        base = f"{scheme}://{addresses.bracket_host(address)}:{port}"
        here = {
            "furoshiki_dashboard_host": address,
            "furoshiki_dashboard_port": port,
            "furoshiki_dashboard_url": base if certificate else None,
        }
        opening = Opening(base, compute_fingerprint(certificate), secrets.token_hex(8), clock.now().timestamp())
        gate = Gate(Ledger(settings.data, opening.place), settings.model_copy(update=here), clock.now)
        world = build_world(settings, clock, minds_when_asked=True, cache_kb=CACHE_KB)
        app = OneNetwork(create_app(world, gate))

        def up() -> None:
            lan.announce(settings.data, opening)
            watching.append(asyncio.create_task(_watch(app, run / lan.FILE, stop, unused_s)))
            ready(opening)

        watching: list[asyncio.Task[None]] = []
        try:
            await server.serve(app, at, stop, up, certificate)
        finally:
            for task in watching:
                task.cancel()
            lan.close(settings.data, clock.now())


async def _watch(app: OneNetwork, file: Path, stop: asyncio.Event, unused_s: float) -> None:
    """End when the pages were unused, their file is gone, or the parent process has ended."""
    parent = os.getppid()
    while time.monotonic() - app.used_at < unused_s and file.exists() and os.getppid() == parent:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), LOOK_S)
            return
    stop.set()


@contextlib.contextmanager
def _hold_lock(lock: Path) -> Iterator[None]:
    """Hold the lock. Raises AlreadyRunning."""
    held = atomic_files.hold(lock)
    if held is None:
        raise AlreadyRunning(ALREADY)
    try:
        yield
    finally:
        os.close(held)


def _bound(address: str, port: int) -> socket:
    """Bind the dashboard's port at this address, else a free one."""
    try:
        return server.bound(address, port)
    except server.CannotListen:
        return server.bound(address, 0)


def make_certificate(run: Path, address: str, now: datetime) -> Path | None:
    """Create a certificate with its key in the same file; None if `openssl` cannot."""
    path = run / f"dashboard-lan-{address.replace(':', '-')}.pem"
    with contextlib.suppress(OSError):
        if now.timestamp() - path.stat().st_mtime < FRESH_S:
            return path
    if not lan.can_encrypt():
        return None
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    command += ["-days", _VALID_DAYS, "-subj", "/CN=Furoshiki", "-addext", f"subjectAltName=IP:{address}"]
    with tempfile.TemporaryDirectory(dir=run) as folder:
        made = [Path(folder) / name for name in ("key", "certificate")]
        done = subprocess.run([*command, "-keyout", made[0], "-out", made[1]], capture_output=True, check=False)
        if done.returncode:
            log.warning("openssl makes no certificate, so the line is not encrypted: %s", done.stderr.decode()[-300:])
            return None
        for former in run.glob("dashboard-lan-*.pem"):
            former.unlink()
        atomic_files.write_text(path, "".join(one.read_text("ascii") for one in made), mode=0o600)
    return path


def compute_fingerprint(certificate: Path | None) -> str:
    """Return the SHA-256 of a certificate as browsers show it ("AB:CD:…"); "" without one."""
    if certificate is None:
        return ""
    text = certificate.read_text("ascii")
    der = ssl.PEM_cert_to_DER_cert(text[text.index("-----BEGIN CERTIFICATE") :].strip())
    return hashlib.sha256(der).digest().hex(":").upper()
