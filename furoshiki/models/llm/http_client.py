"""The HTTP client of both SDKs, with bounded response bodies.

The SDKs read an error page completely, so the limit is below them, on the body itself.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterable, AsyncIterator, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import httpx2

from furoshiki.core.catalogue import Sentence
from furoshiki.core.network import outbound
from furoshiki.models.llm.failures import Failure, of_status, safe_words

# Bytes. The longest expected stream is well below 1 MB, framing included.
LARGEST_BODY = 4 * 1024 * 1024

CONNECT_S = 10.0

PLAIN_S = 60.0  # timeout in seconds of plain requests, such as those about batches


DRAIN_S = 0.2  # seconds to read on; a new connection takes about as long


class BodyTooLarge(httpx2.ReadError):
    """The server sent more than any valid answer has."""


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, most: int) -> None:
        self._stream = stream
        self._most = self._left = most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            self._left -= len(chunk)
            if self._left < 0:
                raise BodyTooLarge(f"more than {self._most} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


async def _bound(most: int, response: httpx2.Response) -> None:
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Bounded(response.stream, most)


async def _say_no_more(request: httpx2.Request) -> None:
    """Remove the SDK's headers about this machine: system, processor, Python, versions."""
    for name in [name for name in request.headers if name.lower().startswith("x-stainless-")]:
        del request.headers[name]
    request.headers["user-agent"] = "furoshiki"


class _Client(httpx2.AsyncClient):
    """A client that tells failed connections to a proxy from those to the provider."""

    def __init__(self, *, proxy: str | None, **options: Any) -> None:
        super().__init__(proxy=proxy, **options)
        self._by_proxy = proxy is not None

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        try:
            return await super().send(request, **options)
        except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
            if not self._by_proxy:
                raise
            raise httpx2.ProxyError("it cannot be reached", request=request) from error


def client(address: str, most: int = LARGEST_BODY) -> httpx2.AsyncClient:
    """Create a client for an address, through its proxy, for bodies up to `most` bytes. Raises
    NoRoad.

    Reading has no timeout: the caller limits the answer's time. Bodies are uncompressed, as the
    limit counts bytes on the wire. Headers say nothing about the machine.
    """
    options = outbound.client_options(address)
    return _Client(
        timeout=httpx2.Timeout(None, connect=CONNECT_S),
        headers={"accept-encoding": "identity"},
        event_hooks={"request": [_say_no_more], "response": [partial(_bound, most)]},
        follow_redirects=False,
        **options,
        limits=httpx2.Limits(max_connections=8, max_keepalive_connections=2, keepalive_expiry=90.0),
    )


@contextmanager
def kit_errors(kit: Any, *, key_variable: str, secret: str) -> Iterator[None]:
    """Turn the exceptions of an SDK (`kit`: its module of errors) into a `Failure`."""
    try:
        yield
    except kit.APITimeoutError:
        raise Failure("timeout", Sentence("no connection in time"), reached=False) from None
    except kit.APIConnectionError as error:
        raise of_connection(error.__cause__) from None
    except kit.APIError as error:
        response = getattr(error, "response", None)
        raise of_status(
            200 if response is None else error.status_code,
            key_variable=key_variable,
            kind=_kind(error),
            body=error.body,
            headers={} if response is None else response.headers,
            secrets=(secret,),
        ) from None
    except httpx2.HTTPError as error:
        raise of_connection(error) from None
    except (ValueError, RecursionError) as error:
        # invalid JSON or text: the SDK does not catch the parser's errors
        raise Failure("garbage", f"the stream cannot be read ({type(error).__name__})") from None


def of_connection(cause: BaseException | None) -> Failure:
    if isinstance(cause, BodyTooLarge):
        return Failure("too_big", str(cause))
    if isinstance(cause, httpx2.ProxyError):
        words = safe_words(cause) or type(cause).__name__
        return Failure(
            "network", Sentence("the proxy in front of it won't let us through ({why})", why=words), reached=False
        )
    if isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout):
        return Failure("network", Sentence("cannot be reached (no connection)"), reached=False)
    name = type(cause).__name__ if cause else "?"
    return Failure("network", Sentence("the connection broke ({why})", why=name))


def _kind(error: Any) -> str:
    """Return the provider's kind of an error, from the exception or its body."""
    for place in (getattr(error, "type", None), getattr(error, "code", None)):
        if isinstance(place, str) and place not in ("error", "invalid_request_error"):
            return place
    return ""


async def drain(stream: AsyncIterable[object]) -> None:
    """Read the rest of a stream, for up to DRAIN_S, so that the connection can be reused."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_S):
            async for _ in stream:
                continue
