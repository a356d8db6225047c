"""One bot at one Bot API server: calls go through aiogram and return `Outcome` values."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from furoshiki.channels.telegram import lazy_aiogram
from furoshiki.channels.telegram.outcomes import NotDelivered, Outcome, Refused, Uncertain
from furoshiki.core.errors import BadSetting
from furoshiki.core.network.addresses import without_secrets
from furoshiki.core.network.proxies import NoRoad
from furoshiki.core.numbers import require_int

if TYPE_CHECKING:
    from aiogram.client.default import DefaultBotProperties

CALL_SECONDS = 30.0  # seconds for one call; uploads get twice that

STALL_SECONDS, DOWNLOAD_SECONDS = 8.0, 45.0  # seconds a download may stall, and may take in all

# Seconds for a connection. A call without a connection was provably not delivered.
CONNECT_SECONDS = 10.0

SECRET_LENGTH = 8  # shorter secrets are a test's; masking them would only garble words

API_URL = "https://api.telegram.org"


class Client:
    """Calls the Bot API for one bot. Its token appears in no message, reason or repr.

    Raises BadSetting for an invalid token or address.
    """

    def __init__(self, token: str, api_url: str | None = None, call_seconds: float = CALL_SECONDS) -> None:
        url = (api_url or API_URL).rstrip("/")
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadSetting(f"TELEGRAM_API_URL must be like https://api.telegram.org, not {url!r}")
        self._aiogram: ModuleType = lazy_aiogram.load()
        self.call_seconds = call_seconds
        self._secrets = (token, quote(token, safe=""), token.partition(":")[2])
        self._bot = _bot(token, url)
        self.id = require_int(token.partition(":")[0])

    def __repr__(self) -> str:
        return f"<Client of bot {self.id}>"

    async def call(self, method: str, *, timeout_s: float | None = None, **params: Any) -> Outcome:
        """Call a method by its aiogram name ("SendMessage"). Never raises for network or Telegram
        errors.

        Parameters refused by aiogram's model are `Refused`, as they would be by Telegram.
        """
        import aiohttp
        from aiogram.exceptions import AiogramError
        from pydantic import ValidationError

        try:
            request = getattr(self._aiogram.methods, method)(**params)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            return Refused(f"can't parse {where or 'parameters'} of {method}: {first['msg']}", 400)
        seconds = timeout_s or self.call_seconds
        limit: Any = aiohttp.ClientTimeout(total=seconds, sock_connect=CONNECT_SECONDS)
        try:
            outcome: Outcome = await self._bot.session(self._bot, request, timeout=limit)
        except (AiogramError, aiohttp.ClientError, OSError, ValueError, LookupError) as error:
            return self._broken(error)
        return outcome

    async def download(self, file_path: str, limit_bytes: int, stall_s: float = STALL_SECONDS) -> bytes | Outcome:
        """Return a file's bytes by the path from `GetFile`, or an error; `Refused` above
        `limit_bytes`.

        Turns are answered one at a time, so a download may not stall (`stall_s` without a byte).
        """
        import aiohttp
        from aiogram.exceptions import AiogramError

        url = self._bot.session.api.file_url(self._bot.token, file_path)
        found = bytearray()
        limit: Any = aiohttp.ClientTimeout(total=DOWNLOAD_SECONDS, sock_connect=CONNECT_SECONDS, sock_read=stall_s)
        try:
            async for chunk in self._bot.session.stream_content(url, timeout=limit):
                found += chunk
                if len(found) > limit_bytes:
                    return Refused(f"the file is larger than {limit_bytes} bytes", 413)
        except aiohttp.ClientResponseError as error:
            return Refused(f"the file server said {error.status}", error.status)
        except (AiogramError, aiohttp.ClientError, OSError, ValueError) as error:
            return self._broken(error)
        return bytes(found)

    def file(self, data: bytes, filename: str) -> Any:
        """Return a file to upload with a call."""
        return self._aiogram.types.BufferedInputFile(data, filename=filename)

    async def close(self) -> None:
        """Close the connections; the client cannot be used afterwards."""
        await self._bot.session.close()

    def hide(self, text: str) -> str:
        """Return the text with this bot's token masked."""
        for secret in self._secrets:
            if len(secret) >= SECRET_LENGTH:
                text = text.replace(secret, "<token>")
        return text

    def _broken(self, error: BaseException) -> NotDelivered | Uncertain:
        """Judge a failed exchange by whether there was a connection."""
        import aiohttp

        cause = error.__cause__ or error
        if isinstance(cause, NoRoad):
            return NotDelivered(self.hide(str(cause)), road=True)
        if isinstance(cause, aiohttp.ClientProxyConnectionError | aiohttp.ClientHttpProxyError) or (
            type(cause).__module__.startswith("python_socks")
        ):
            words = without_secrets(str(getattr(cause, "message", "") or cause))
            return NotDelivered(self.hide(f"the proxy before it does not let us through ({words})"), road=True)
        reason = self.hide(f"{type(cause).__name__}: {cause}".rstrip(": "))
        never = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError, aiohttp.InvalidURL)
        return NotDelivered(reason) if isinstance(cause, never) else Uncertain(reason)


@dataclass(frozen=True)
class _Bot:
    """The fields a session reads of aiogram's Bot, which would import every type and method."""

    token: str
    session: Any
    default: DefaultBotProperties


def _bot(token: str, url: str) -> _Bot:
    from aiogram.client.default import DefaultBotProperties
    from aiogram.client.telegram import TelegramAPIServer
    from aiogram.utils.token import TokenValidationError, validate_token

    try:
        validate_token(token)
    except TokenValidationError:
        raise BadSetting(
            "TELEGRAM_BOT_TOKEN is not a bot token (123456:letters…): copy it again from @BotFather"
        ) from None
    session = importlib.import_module("furoshiki.channels.telegram.session").Session(
        api=TelegramAPIServer.from_base(url)
    )
    return _Bot(token, session, DefaultBotProperties())
