"""The dashboard opened for a phone in the owner's own network: starting, finding, closing.

A separate process serves it, at one address, to one browser. Its state is in
`run/dashboard-lan.json`, which the process writes while it holds the lock next to it; when the file
is deleted, the process ends.
"""

import asyncio
import json
import shutil
import socket
import sys
from dataclasses import asdict, dataclass
from datetime import datetime
from ipaddress import ip_address, ip_network
from pathlib import Path

from furoshiki.core import json_values
from furoshiki.core.atomic_files import write_text
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.logins import sessions
from furoshiki.core.logins.ledger import Ledger
from furoshiki.core.paths import ROOT, environ
from furoshiki.core.process.locks import lock_held

LOCK, FILE = "dashboard-lan.lock", "dashboard-lan.json"  # file names in `run/`

# private networks (RFC 1918, RFC 4193)
PRIVATE = tuple(ip_network(one) for one in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"))

# timeout in seconds until the pages answer: 2 s here, many times that on a small busy machine
START_S = 60.0

# unused addresses: the route to them shows this machine's own address; nothing is sent
_FAR = ((socket.AF_INET, "198.51.100.1"), (socket.AF_INET6, "fdff::1"))

_CONTAINER = ("/run/.containerenv", "/.dockerenv")


class CannotOpen(FuroshikiError):
    """The pages did not come up: the message says what stands against it."""


@dataclass(frozen=True)
class Opening:
    """Open pages: address, SHA-256 of the certificate ("" without encryption), the place where
    their links and sessions are valid, and the start (seconds since 1970)."""

    base: str
    fingerprint: str
    place: str
    since: float


def is_private(host: str) -> bool:
    """Return whether an address belongs to a private network."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return any(address.version == one.version and address in one for one in PRIVATE)


def find_address() -> str | None:
    """Return this machine's address for phones nearby; None on rented servers, in containers."""
    if any(Path(mark).exists() for mark in _CONTAINER):
        return None
    for family, far in _FAR:
        with socket.socket(family, socket.SOCK_DGRAM) as asking:
            try:
                asking.connect((far, 9))
            except OSError:  # no route
                continue
            found = str(asking.getsockname()[0])
        if is_private(found):
            return found
    return None


def can_encrypt() -> bool:
    """Return whether openssl, which makes the certificate, is installed."""
    return shutil.which("openssl") is not None


def find_opening(data: Path) -> Opening | None:
    """Return the open pages, or None."""
    if not lock_held(data / "run" / LOCK):
        return None
    try:
        return json_values.build(Opening, json.loads((data / "run" / FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):  # the process starts or ends at this moment
        return None


def announce(data: Path, opening: Opening) -> None:
    """Record that the pages are open. For the process that serves them. Raises OSError."""
    write_text(data / "run" / FILE, json.dumps(asdict(opening)) + "\n", mode=0o600)


def close(data: Path, now: datetime) -> bool:
    """Sign the phone out and end the process within a second; True when pages were open."""
    opening = find_opening(data)
    if opening is None:
        return False
    (data / "run" / FILE).unlink(missing_ok=True)
    with Ledger(data, opening.place).changing(now) as book:
        sessions.leave(book)
    return True


async def open_pages(data: Path, address: str) -> Opening:
    """Start the process that serves the pages, as a child of this one. Raises CannotOpen."""
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
