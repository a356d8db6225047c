"""HTTP to one Bot API server: a call goes out as its form, and its answer comes back as an `Outcome`.

Answers stay plain JSON. Import it when a `Client` is made: aiohttp takes a tenth of a second.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any, NamedTuple

from aiohttp import ClientSession, ClientTimeout, FormData, TCPConnector

from furoshiki.channels.telegram.outcomes import (
    Blocked,
    Conflict,
    Delivered,
    Outcome,
    Refused,
    RetryAfter,
    Unauthorized,
    Uncertain,
)
from furoshiki.core import numbers
from furoshiki.core.network import outbound

LONGEST_WAIT_S = 86_400.0
"""A longer wait than Telegram ever asks for is no wait of its own."""

_SHOWN = 120
"""How much of an unreadable answer goes into a reason."""


class Upload(NamedTuple):
    """A file that goes out with a call."""

    data: bytes
    filename: str


class Session:
    """The connections of a `Client`, by the one road of all; it is looked for with each session that is opened anew."""

    def __init__(self, url: str, token: str) -> None:
        self._url, self._token = url, token
        self._session: ClientSession | None = None

    async def post(self, method: str, form: FormData, limit: ClientTimeout) -> Outcome:
        """What became of a call. Raises NoRoad, and what aiohttp raises."""
        url = f"{self._url}/bot{self._token}/{method[0].lower()}{method[1:]}"
        async with self._opened().post(url, data=form, timeout=limit) as answer:
            return judge(answer.status, await answer.text())

    async def read_file(self, path: str, limit: ClientTimeout) -> AsyncIterator[bytes]:
        """A file in pieces, by its path. Raises NoRoad, and what aiohttp raises, also for a refusal."""
        url = f"{self._url}/file/bot{self._token}/{path}"
        async with self._opened().get(url, timeout=limit, raise_for_status=True) as answer:
            async for piece in answer.content.iter_chunked(1 << 16):
                yield piece

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()

    def _opened(self) -> ClientSession:
        if self._session is None or self._session.closed:
            road = outbound.road()
            proxy, known = road.proxy(self._url), road.certificates()
            if proxy is not None and proxy.kind == "socks5":
                from aiohttp_socks import ProxyConnector

                self._session = ClientSession(connector=ProxyConnector.from_url(proxy.url, rdns=True, ssl=known))
            else:
                url = None if proxy is None else proxy.url
                self._session = ClientSession(connector=TCPConnector(ssl=known), proxy=url)
        return self._session


def build_form(params: Mapping[str, Any]) -> FormData:
    """The parameters of a call as the Bot API reads them: words as they are, everything else as JSON, files beside.

    None and empty words are left out. Raises ValueError or TypeError for what cannot be sent.
    """
    form = FormData(quote_fields=False)
    for name, value in params.items():
        if isinstance(value, Upload):
            form.add_field(name, value.data, filename=value.filename)
        elif value is not None and value != "":
            text = value if isinstance(value, str) else json.dumps(value)
            text.encode()  # half a character is refused here: at the server nobody would know what became of the call
            form.add_field(name, text)
    return form


def judge(status: int, content: str) -> Outcome:
    """What an HTTP answer of the Bot API means."""
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError):
        return Uncertain(f"HTTP {status} with an unreadable answer: {content[:_SHOWN]!r}")
    if not isinstance(answer, dict):
        return Uncertain(f"HTTP {status} with an unexpected answer: {content[:_SHOWN]!r}")
    if answer.get("ok") is True and "result" in answer:
        return Delivered(answer["result"])
    code = answer.get("error_code")
    code = code if isinstance(code, int) else status
    said = str(answer.get("description") or f"error {code}")
    parameters = answer.get("parameters")
    parameters = parameters if isinstance(parameters, dict) else {}
    if code == 429:
        seconds = parameters.get("retry_after")
        return RetryAfter(5.0 if (wait := numbers.decimal(seconds, 0, LONGEST_WAIT_S)) is None else wait)
    if code == 401 or (code == 404 and said.strip().lower() == "not found"):
        return Unauthorized(said)
    if code == 403:
        return Blocked(said)
    if code == 409:
        return Conflict(said)
    if 400 <= code < 500:
        moved = parameters.get("migrate_to_chat_id")
        return Refused(said, code, moved if isinstance(moved, int) else None)
    return Uncertain(f"{code}: {said}")
