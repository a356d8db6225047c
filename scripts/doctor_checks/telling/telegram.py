"""Sends to Telegram without the program. The token is never in an error, a log, or the page."""

from __future__ import annotations

import json
import re
import socket
import sqlite3
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from doctor_checks import database
from doctor_checks.look import Look
from doctor_checks.road import road

if TYPE_CHECKING:
    from urllib.error import HTTPError

SECONDS = 3.0
LONGEST = 3500  # characters of one message; Telegram accepts 4096 UTF-16 units
OPERATOR = "FUROSHIKI_HOST_OPERATOR"  # the setting with the Telegram id of a host's operator

_TOKEN = re.compile(r"\d{3,20}:[A-Za-z0-9_-]{10,100}")

Result = Literal["sent", "not sent", "unknown"]


class Ended(NamedTuple):
    """The result of a try ("not sent": certainly), the reason without the token, the message's
    id."""

    result: Result
    why: str = ""
    message_id: int | None = None


@dataclass(frozen=True)
class Way:
    """How to reach the owner: Bot API server, bot token, chat."""

    api: str
    token: str
    chat: str
    road: Any = field(default=None, compare=False)  # the way to the network; None: urllib's own


def way(look: Look) -> Way | str:
    """Return how the owner is reached, or why they cannot be."""
    token = look.place.bot.get("TELEGRAM_BOT_TOKEN", "")
    if not token:
        return "TELEGRAM_BOT_TOKEN is not set"
    if not _TOKEN.fullmatch(token):
        return "TELEGRAM_BOT_TOKEN is not what @BotFather gives out (123456:ABC…)"
    if not re.match(r"https?://[^\s/]+", look.place.api):
        return "TELEGRAM_API_URL is not an address"
    chat = look.place.settings.get(OPERATOR) if look.place.is_host else _owner(look)
    if look.place.is_host and not chat:
        return f"{OPERATOR} is not set"
    return Way(look.place.api, token, chat, road(look.place)) if chat else "nobody is paired as the owner yet"


def send(way: Way, text: str, seconds: float = SECONDS) -> Ended:
    """Send a message to the owner.

    Resolving an address has no timeout, so all of it runs in a thread that is abandoned after
    `seconds`.
    """
    call = _Call(way, text, seconds)
    thread = threading.Thread(target=call.run, daemon=True)
    thread.start()
    thread.join(seconds + 0.5)
    with call.deciding:
        call.given_up = True
        if call.result is not None:
            return call.result
        return Ended("unknown" if call.asked else "not sent", "Telegram is not reached: it takes too long")


class _Call:
    """One try. `asked` is set before the request is sent; `given_up` prevents sending it."""

    def __init__(self, way: Way, text: str, seconds: float) -> None:
        self.deciding = threading.Lock()
        self.asked = self.given_up = False
        self.result: Ended | None = None
        self._way, self._text, self._seconds = way, text, seconds

    def run(self) -> None:
        try:
            _reach(self._way, self._seconds)
        except (OSError, ValueError) as error:
            self.result = Ended("not sent", _clean(f"Telegram is not reached: {error}", self._way))
            return
        with self.deciding:
            if self.given_up:
                return
            self.asked = True
        self.result = _post(self._way, self._text, self._seconds)


def _reach(way: Way, seconds: float) -> None:
    """Test the connection, through a proxy if there is one. Raises OSError, ValueError."""
    from urllib.parse import urlsplit

    parts = urlsplit(way.api)
    if way.road is not None:
        way.road.connect(way.api, seconds).close()
        return
    port = parts.port or (443 if parts.scheme == "https" else 80)
    socket.create_connection((parts.hostname or "", port), timeout=seconds).close()


def _post(way: Way, text: str, seconds: float) -> Ended:
    import http.client  # here, because most runs send nothing and the import is slow
    import urllib.error
    import urllib.request

    short = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    body = json.dumps(
        {"chat_id": way.chat, "text": short, "link_preview_options": {"is_disabled": True}}, ensure_ascii=True
    ).encode()
    try:
        request = urllib.request.Request(
            f"{way.api}/bot{way.token}/sendMessage", body, {"Content-Type": "application/json"}
        )
        opened = urllib.request.urlopen if way.road is None else way.road.opened
        with opened(request, timeout=seconds) as answer:
            found = json.loads(answer.read(1_000_000))
    except urllib.error.HTTPError as error:
        reason = f"Telegram answers {error.code}: {_described(error)}"
        return Ended("unknown" if error.code >= 500 else "not sent", _clean(reason, way))
    except urllib.error.URLError as error:
        unknown = isinstance(error.reason, TimeoutError)
        return Ended("unknown" if unknown else "not sent", _clean(f"Telegram is not reached: {error.reason}", way))
    except (OSError, http.client.HTTPException, ValueError, RecursionError) as error:
        return Ended("unknown", _clean(f"Telegram does not answer: {type(error).__name__}: {error}", way))
    if not isinstance(found, dict) or not found.get("ok"):
        return Ended("unknown", "Telegram answers something that is not its own")
    message = found.get("result")
    number = message.get("message_id") if isinstance(message, dict) else None
    return Ended("sent", message_id=number if type(number) is int else None)


def _owner(look: Look) -> str | None:
    """Return the owner's chat: from the database, else the last known, else the setting."""
    kept: dict[str, Any] = look.notebook.part("owner")
    try:
        with database.reading(look.place.database) as db:
            row = db.execute(
                "SELECT chat_id FROM accounts WHERE channel='telegram' AND role='owner' ORDER BY id LIMIT 1"
            ).fetchone()
        if row is not None:
            kept["chat"] = str(row["chat_id"])
    except (database.Damaged, database.Unreadable, sqlite3.Error):
        pass
    return _plain(kept) or look.place.settings.get("TELEGRAM_OWNER_ID")


def _plain(kept: Mapping[str, Any]) -> str | None:
    chat = kept.get("chat")
    return chat if isinstance(chat, str) and re.fullmatch(r"-?\d{1,20}", chat) else None


def _described(error: HTTPError) -> str:
    try:
        found = json.loads(error.read(100_000))
        return str(found.get("description", ""))[:200] if isinstance(found, dict) else ""
    except Exception:  # the connection broke: there is no description
        return ""


def _clean(text: str, way: Way) -> str:
    return _TOKEN.sub("[hidden]", text.replace(way.token, "[hidden]"))[:300]
