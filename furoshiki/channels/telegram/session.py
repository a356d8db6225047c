"""aiogram's HTTP session without building models of answers. Import only after
`lazy_aiogram.load()`.

Requests are aiogram's own (its models check them, its form builder uploads files); answers stay
plain JSON, because building a Message model alone costs more than the rest of a turn.
"""

import json
from types import SimpleNamespace
from typing import Any

from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.session.base import BaseSession
from aiogram.client.telegram import TelegramAPIServer
from aiohttp import ClientSession, TCPConnector

from furoshiki.channels.telegram import outcomes
from furoshiki.core import numbers
from furoshiki.core.json_values import dict_of
from furoshiki.core.network import outbound

# seconds: Telegram never asks for longer waits; a larger value is ignored
LONGEST_WAIT_S = 86_400.0

_SHOWN = 120  # characters of an unreadable answer quoted in a reason


class RawAnswers:
    """A mixin: the result of a call is an `Outcome`, and refusals are no exceptions."""

    def check_response(self, bot: Any, method: Any, status_code: int, content: str) -> Any:
        """Judge an answer by its JSON; aiogram reads `.result` of the returned object."""
        return SimpleNamespace(result=judge(status_code, content))


class Session(RawAnswers, AiohttpSession):
    """The session of a `Client`, through the configured proxy, which each new session looks up."""

    def __init__(self, api: TelegramAPIServer) -> None:
        # AiohttpSession's would read all root certificates, which the road has already
        BaseSession.__init__(self, api=api)
        self._session = None

    async def create_session(self) -> ClientSession:
        """Return the open session. Raises NoRoad."""
        if self._session is None or self._session.closed:
            road = outbound.road()
            proxy, known = road.proxy(self.api.base), road.certificates()
            if proxy is not None and proxy.kind == "socks5":
                from aiohttp_socks import ProxyConnector

                self._session = ClientSession(connector=ProxyConnector.from_url(proxy.url, rdns=True, ssl=known))
            else:
                url = None if proxy is None else proxy.url
                self._session = ClientSession(connector=TCPConnector(ssl=known), proxy=url)
        return self._session

    async def close(self) -> None:
        """Close the connections, without aiogram's sleep of 0.25 s for old versions of aiohttp."""
        if self._session is not None and not self._session.closed:
            await self._session.close()


def judge(status: int, content: str) -> outcomes.Outcome:
    """Return the outcome that an HTTP answer of the Bot API means."""
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError):
        return outcomes.Uncertain(f"HTTP {status} with an unreadable answer: {content[:_SHOWN]!r}")
    if not isinstance(answer, dict):
        return outcomes.Uncertain(f"HTTP {status} with an unexpected answer: {content[:_SHOWN]!r}")
    if answer.get("ok") is True and "result" in answer:
        return outcomes.Delivered(answer["result"])
    code = answer.get("error_code")
    code = code if isinstance(code, int) else status
    said = str(answer.get("description") or f"error {code}")
    parameters = dict_of(answer.get("parameters"))
    if code == 429:
        seconds = parameters.get("retry_after")
        return outcomes.RetryAfter(5.0 if (wait := numbers.decimal(seconds, 0, LONGEST_WAIT_S)) is None else wait)
    if code == 401 or (code == 404 and said.strip().lower() == "not found"):
        return outcomes.Unauthorized(said)
    if code == 403:
        return outcomes.Blocked(said)
    if code == 409:
        return outcomes.Conflict(said)
    if 400 <= code < 500:
        moved = parameters.get("migrate_to_chat_id")
        return outcomes.Refused(said, code, moved if isinstance(moved, int) else None)
    return outcomes.Uncertain(f"{code}: {said}")
