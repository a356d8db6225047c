"""The dashboard opened for a phone in the owner's own network: where, by whom, and how it is closed again.

A process of its own serves it, at one address, to one browser. What is open stands in `run/dashboard-lan.json`, which
that process writes while it holds the lock beside it, and watches: without the file it ends.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
import sys
from dataclasses import asdict, dataclass
from datetime import datetime
from ipaddress import ip_address, ip_network
from pathlib import Path

from furoshiki.core import stored
from furoshiki.core.atomic_files import write_text
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.logins import sessions
from furoshiki.core.logins.ledger import Ledger
from furoshiki.core.paths import ROOT, environ
from furoshiki.core.process.locks import lock_held

LOCK, FILE = "dashboard-lan.lock", "dashboard-lan.json"
"""In `run/`."""

PRIVATE = tuple(ip_network(one) for one in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"))
"""Networks that no address of the internet lies in (RFC 1918, RFC 4193)."""

START_S = 60.0
"""Seconds that pages may take until they answer: two here, many times that on a small machine that is busy."""

_FAR = ((socket.AF_INET, "198.51.100.1"), (socket.AF_INET6, "fdff::1"))
"""Addresses that belong to nobody. Asking for a way there shows which of its own addresses this machine would use;
nothing is sent."""

_CONTAINER = ("/run/.containerenv", "/.dockerenv")


class CannotOpen(FuroshikiError):
    """The pages did not come up: the message says what stands against it."""


@dataclass(frozen=True)
class Opening:
    """Pages that are open: their address, the SHA-256 of their certificate ("" where the line is not encrypted), the
    place their links and sessions are good at, and since when (seconds since 1970)."""

    base: str
    fingerprint: str
    place: str
    since: float


def is_private(host: str) -> bool:
    """Whether an address belongs to a network of somebody's own."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return any(address.version == one.version and address in one for one in PRIVATE)


def find_address() -> str | None:
    """The address of this machine that a phone in the same network can reach; None where it has none, as a rented
    server, or a container, whose network is its own."""
    if any(Path(mark).exists() for mark in _CONTAINER):
        return None
    for family, far in _FAR:
        with socket.socket(family, socket.SOCK_DGRAM) as asking:
            try:
                asking.connect((far, 9))
            except OSError:  # no way leads out
                continue
            found = str(asking.getsockname()[0])
        if is_private(found):
            return found
    return None


def can_encrypt() -> bool:
    """Whether there is what makes a certificate."""
    return shutil.which("openssl") is not None


def find_opening(data: Path) -> Opening | None:
    """What is open now; None when nothing is."""
    if not lock_held(data / "run" / LOCK):
        return None
    try:
        return stored.build(Opening, json.loads((data / "run" / FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):  # it comes up, or goes, this very moment
        return None


def announce(data: Path, opening: Opening) -> None:
    """Say that pages are open. For the process that serves them."""
    write_text(data / "run" / FILE, json.dumps(asdict(opening)) + "\n", mode=0o600)


def close(data: Path, now: datetime) -> bool:
    """Sign the phone out and have the process end, which takes a second. Whether anything was open."""
    opening = find_opening(data)
    if opening is None:
        return False
    (data / "run" / FILE).unlink(missing_ok=True)
    with Ledger(data, opening.place).changing(now) as book:
        sessions.leave(book)
    return True


async def open_pages(data: Path, address: str) -> Opening:
    """Begin a process that serves them, as a child that ends with this one. Raises CannotOpen."""
    command = (sys.executable, "-P", "-m", "furoshiki", "dashboard", "--lan", address)
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            cwd=ROOT,
            env={**environ(), "FUROSHIKI_DATA": str(data)},
        )
    except OSError as error:
        raise CannotOpen(f"no process could be started for it ({error.strerror})") from None
    assert process.stdout is not None
    try:
        async with asyncio.timeout(START_S):
            line = await process.stdout.readline()
    except TimeoutError:
        process.kill()
        raise CannotOpen(f"they did not answer within {START_S:g} seconds") from None
    opening = find_opening(data)
    if opening is None:
        raise CannotOpen(line.decode("utf-8", "replace").strip() or "`furoshiki logs dashboard` has what happened")
    return opening
