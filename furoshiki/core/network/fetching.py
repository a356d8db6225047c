"""Download of files: resumed after interruptions, and stored only when the SHA-256 matches."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from furoshiki.core.catalogue import later, say
from furoshiki.core.errors import FuroshikiError, in_words
from furoshiki.core.files import digest
from furoshiki.core.network import outbound
from furoshiki.core.network.proxies import NoRoad

TRIES = 3  # connections tried for one download; each continues where the last ended
PAUSE_S = 2.0  # seconds between two tries
MOST_HOPS = 5  # maximum number of redirects

CONNECT_S, SILENCE_S = 20.0, 60.0  # timeouts in seconds: to connect, and between two pieces of data

PART = ".part"  # suffix of an incomplete download

_AWAY = later("{host} cannot be reached: check the network or the proxy, and try again")
_SAYS = later("{host} answers “{status}”: try again later")
_OTHER = later("{host} sent a different file than the one requested, so none of it was kept: try again later")
_UNKEPT = later("it cannot be saved here ({why}): free some space and try again")


class NotFetched(FuroshikiError):
    """A file did not arrive: the message says why, in the person's language, and what helps."""


@dataclass(frozen=True)
class Remote:
    """A file on a server: its address, its size in bytes, and its SHA-256 in hexadecimal."""

    url: str
    size: int
    sha256: str

    @property
    def host(self) -> str:
        """The server's host name."""
        return urlsplit(self.url).hostname or self.url


async def fetch(remote: Remote, target: Path, arrived: Callable[[int], None] = lambda _bytes: None) -> None:
    """Download a file to `target` atomically; `arrived` is called with the bytes received so far.

    An incomplete download stays next to it and is resumed the next time. Raises NotFetched.
    """
    import httpx2  # takes 60 ms; not needed to inspect local files

    part = target.with_name(target.name + PART)
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        for left in reversed(range(TRIES)):
            try:
                await _more(remote, remote.url, part, arrived)
                break
            except httpx2.TransportError:
                if not left:
                    raise
                await asyncio.sleep(PAUSE_S)
        if await asyncio.to_thread(digest, part) != remote.sha256:
            part.unlink()
            raise NotFetched(say(_OTHER, host=remote.host))
        part.rename(target)
    except NoRoad as error:
        raise NotFetched(str(error)) from None
    except httpx2.HTTPError:
        raise NotFetched(say(_AWAY, host=remote.host)) from None
    except OSError as error:
        raise NotFetched(say(_UNKEPT, why=in_words(error))) from None


async def _more(remote: Remote, url: str, part: Path, arrived: Callable[[int], None], hops: int = MOST_HOPS) -> None:
    """Fetch a file's missing rest. Raises NotFetched, httpx2.HTTPError and OSError."""
    import httpx2

    have = part.stat().st_size if part.exists() else 0
    if have >= remote.size:
        return
    timeout = httpx2.Timeout(SILENCE_S, connect=CONNECT_S)
    options = outbound.client_options(url)  # for each host again: its proxy may differ
    headers = {"accept-encoding": "identity", "user-agent": "furoshiki"}
    if have:
        headers["range"] = f"bytes={have}-"
    async with (
        httpx2.AsyncClient(timeout=timeout, headers=headers, **options) as client,
        client.stream("GET", url) as answer,
    ):
        if answer.next_request is not None and hops:
            there = str(answer.next_request.url)
            if urlsplit(there).scheme == urlsplit(url).scheme:
                await _more(remote, there, part, arrived, hops - 1)
                return
        if answer.status_code not in (200, 206):
            raise NotFetched(say(_SAYS, host=remote.host, status=answer.status_code))
        goes_on = answer.status_code == 206
        have = have if goes_on else 0
        with part.open("ab" if goes_on else "wb") as file:
            async for piece in answer.aiter_raw():
                have += len(piece)
                if have > remote.size:
                    break
                file.write(piece)
                arrived(have)
    if have != remote.size:
        if have > remote.size:
            part.unlink()
            raise NotFetched(say(_OTHER, host=remote.host))
        raise httpx2.ReadError("it ended early")
