"""The few calls of the command line to Telegram's Bot API: who the bot is, who polls it."""

import json
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any

from furoshiki.core.network import outbound
from furoshiki.core.network.proxies import NoRoad
from furoshiki.core.settings import Settings

PATIENCE_S = 5.0  # seconds that Telegram may take to answer

_MOST_BYTES = 1_000_000


@dataclass(frozen=True)
class Answered:
    """The answer of a call: HTTP status (None: Telegram was not reached), result, error message."""

    status: int | None
    result: Any = None
    said: str = ""

    @property
    def ok(self) -> bool:
        """Whether the call succeeded."""
        return self.status == 200

    @property
    def refused_token(self) -> bool:
        """Whether Telegram does not know the token."""
        return self.status in (401, 404)


def call(settings: Settings, method: str, token: str | None = None) -> Answered:
    """Call a method, as "getUpdates?limit=1", with the settings' token or `token`."""
    held = settings.telegram_bot_token
    secret = token if token is not None else "" if held is None else held.get_secret_value()
    address = f"{settings.telegram_api_url.rstrip('/')}/bot{secret}/{method}"
    request = urllib.request.Request(address, headers={"User-Agent": "furoshiki"})
    try:
        with outbound.road().opened(request, timeout=PATIENCE_S) as answer:
            return Answered(200, json.loads(answer.read(_MOST_BYTES))["result"])
    except urllib.error.HTTPError as error:
        return Answered(error.code, said=_description(error))
    except NoRoad as error:
        return Answered(None, said=str(error))
    except (OSError, ValueError, KeyError, TypeError):
        return Answered(None)


def user_name(settings: Settings) -> str | None:
    """Return the bot's user name; None without a token, or while Telegram cannot be asked."""
    if settings.telegram_bot_token is None:
        return None
    found = call(settings, "getMe")
    return str(found.result["username"]) if found.ok and "username" in found.result else None


def _description(error: urllib.error.HTTPError) -> str:
    try:
        said = json.loads(error.read(_MOST_BYTES))
    except (OSError, ValueError):
        return ""
    return str(said.get("description", "")) if isinstance(said, dict) else ""
