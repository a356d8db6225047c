"""One bot at one Bot API server: calls go out over HTTP, and come back as `Outcome` values."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, urlsplit

from furoshiki.channels.telegram.outcomes import NotDelivered, Outcome, Refused, Uncertain
from furoshiki.core import numbers
from furoshiki.core.errors import BadSetting
from furoshiki.core.network.addresses import without_secrets
from furoshiki.core.network.proxies import NoRoad

_TOKEN = re.compile(r"(\d+):\S+")

CALL_SECONDS = 30.0
"""How long one call may take altogether; uploads get twice that."""

STALL_SECONDS, DOWNLOAD_SECONDS = 8.0, 45.0
"""How long a download may stand still, and how long it may take in all."""

CONNECT_SECONDS = 10.0
"""How long a connection may take. A call that never got one was provably not delivered."""

SECRET_LENGTH = 8
"""A shorter "secret" is a test's; blotting it out would only garble words."""

API_URL = "https://api.telegram.org"


class Client:
    """Calls the Bot API for one bot. Its token appears in no message, reason or repr of ours.

    Raises BadSetting for a token or an address that cannot be one.
    """

    def __init__(self, token: str, api_url: str | None = None, call_seconds: float = CALL_SECONDS) -> None:
        url = (api_url or API_URL).rstrip("/")
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadSetting(f"TELEGRAM_API_URL must be like https://api.telegram.org, not {url!r}")
        known = _TOKEN.fullmatch(token)
        if known is None:
            raise BadSetting("TELEGRAM_BOT_TOKEN is not a bot token (123456:letters…): copy it again from @BotFather")
        from furoshiki.channels.telegram import session  # aiohttp takes a tenth of a second

        self.call_seconds = call_seconds
        self._secrets = (token, quote(token, safe=""), token.partition(":")[2])
        self._session = session.Session(url, token)
        self.id = numbers.require_int(known[1])
        self.seconds_left: Callable[[], float] | None = None
        """How much longer this process may speak for the bot, where another may take it over; None: no end is known."""

    def __repr__(self) -> str:
        return f"<Client of bot {self.id}>"

    async def call(self, method: str, *, timeout_s: float | None = None, **params: Any) -> Outcome:
        """Call a method ("SendMessage"). Never raises for what the network or Telegram do.

        Parameters that cannot be sent are a `Refused`, as those that Telegram cannot read.
        """
        import aiohttp

        from furoshiki.channels.telegram.session import build_form

        try:
            form = build_form(params)
        except (TypeError, ValueError) as error:
            return Refused(f"can't parse parameters of {method}: {error}", 400)
        seconds = timeout_s or self.call_seconds
        if self.seconds_left is not None:
            left = self.seconds_left()
            if left <= 0.0:
                return NotDelivered("another machine may speak for this bot now")
            seconds = seconds if method == "GetUpdates" else min(seconds, left)  # waiting does no harm
        limit = aiohttp.ClientTimeout(total=seconds, sock_connect=CONNECT_SECONDS)
        try:
            return await self._session.post(method, form, limit)
        except (aiohttp.ClientError, OSError, ValueError, LookupError) as error:
            return self._broken(error)

    async def download(self, file_path: str, limit_bytes: int, stall_s: float = STALL_SECONDS) -> bytes | Outcome:
        """A file's bytes by the path `GetFile` gave, or why not; one longer than `limit_bytes` is a `Refused`.

        One turn at a time is answered, so nobody waits for a download that stands still (`stall_s` without a byte).
        """
        import aiohttp

        found = bytearray()
        limit = aiohttp.ClientTimeout(total=DOWNLOAD_SECONDS, sock_connect=CONNECT_SECONDS, sock_read=stall_s)
        try:
            async for chunk in self._session.read_file(file_path, limit):
                found += chunk
                if len(found) > limit_bytes:
                    return Refused(f"the file is larger than {limit_bytes} bytes", 413)
        except aiohttp.ClientResponseError as error:
            return Refused(f"the file server said {error.status}", error.status)
        except (aiohttp.ClientError, OSError, ValueError) as error:
            return self._broken(error)
        return bytes(found)

    def file(self, data: bytes, filename: str) -> Any:
        """A file to be uploaded with a call."""
        from furoshiki.channels.telegram.session import Upload

        return Upload(data, filename)

    async def close(self) -> None:
        """Close the connections; the client cannot be used afterwards."""
        await self._session.close()

    def hide(self, text: str) -> str:
        """The text with this bot's token blotted out."""
        for secret in self._secrets:
            if len(secret) >= SECRET_LENGTH:
                text = text.replace(secret, "<token>")
        return text

    def _broken(self, error: BaseException) -> NotDelivered | Uncertain:
        """Judge a failed exchange by whether a connection was ever made."""
        import aiohttp

        if isinstance(error, NoRoad):
            return NotDelivered(self.hide(str(error)), road=True)
        if isinstance(error, aiohttp.ClientProxyConnectionError | aiohttp.ClientHttpProxyError) or (
            type(error).__module__.startswith("python_socks")
        ):
            words = without_secrets(str(getattr(error, "message", "") or error))
            return NotDelivered(self.hide(f"the proxy before it does not let us through ({words})"), road=True)
        reason = self.hide(f"{type(error).__name__}: {error}".rstrip(": "))
        never = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError, aiohttp.InvalidURL)
        return NotDelivered(reason) if isinstance(error, never) else Uncertain(reason)
