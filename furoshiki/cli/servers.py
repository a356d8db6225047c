"""Whether the servers that the settings name answer, and take the keys: asked on request, with free calls.

`furoshiki config check` and `furoshiki status` ask; `--offline` leaves it. Models are asked for their list, Telegram
for the bot's name and, while no listener of ours runs, whether another program takes its messages.
"""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from furoshiki.cli import bot_api
from furoshiki.core.database.troubles import MODEL
from furoshiki.core.network import outbound
from furoshiki.core.network.addresses import without_secrets
from furoshiki.core.network.proxies import NoRoad
from furoshiki.core.settings import Settings
from furoshiki.llm.failures import of_status
from furoshiki.llm.plans import Plans
from furoshiki.maintenance import setup_check

PATIENCE_S = 4.0
"""How long a server may take to answer; all are asked at the same time."""

_DEFAULTS = {"anthropic": "https://api.anthropic.com", "openai": "https://api.openai.com/v1"}
_LISTS = {"anthropic": "/v1/models", "openai": "/models"}
_REFUSED = (401, 403)

AWAY = "{who} cannot be reached at {address}: check the network{setting}"
NO_TOKEN = "Telegram refused TELEGRAM_BOT_TOKEN: copy the token again from @BotFather"
SHARED = (
    "another program takes this bot's messages, so some would never come here: end the other one (perhaps a second "
    "Furoshiki with the same TELEGRAM_BOT_TOKEN), or make a new token with @BotFather (/revoke)"
)


@dataclass(frozen=True)
class Finding:
    """What is wrong with a server, and which troubles on record are the same (how their names begin)."""

    words: str
    about: str


def asked(settings: Settings, plans: Plans, *, listening: bool) -> list[Finding]:
    """Ask every server that is needed; what is wrong with them. `listening`: a listener of ours polls already."""
    questions: list[Callable[[], Finding | None]] = [
        _provider(settings, name) for name in sorted(setup_check.providers(plans) & _DEFAULTS.keys())
    ]
    if settings.telegram_bot_token is not None:
        questions.append(lambda: _telegram(settings, listening))
    if not questions:
        return []
    with ThreadPoolExecutor(len(questions)) as pool:
        return [found for found in pool.map(lambda question: question(), questions) if found is not None]


def _provider(settings: Settings, name: str) -> Callable[[], Finding | None]:
    key = getattr(settings, f"{name}_api_key")
    own = getattr(settings, f"{name}_base_url")
    secret = "" if key is None else key.get_secret_value()
    headers = {"x-api-key": secret, "anthropic-version": "2023-06-01"} if name == "anthropic" else {}
    if name == "openai" and secret:
        headers = {"Authorization": f"Bearer {secret}"}
    address = (own or _DEFAULTS[name]).rstrip("/")

    def ask() -> Finding | None:
        status, why = _status(address + _LISTS[name], headers)
        if status is None:
            setting = f", and {name.upper()}_BASE_URL" if own else ""
            words = _away(f"the model provider {name}", address, setting, why)
        elif status in _REFUSED:
            words = str(of_status(status, key_variable=f"{name.upper()}_API_KEY"))
        else:
            return None  # it is there; one that has no list of its models is none the worse for it
        return Finding(words, f"{MODEL}{name}:")

    return ask


def _telegram(settings: Settings, listening: bool) -> Finding | None:
    found = bot_api.call(settings, "getMe")
    if found.status is None:
        setting = ", and TELEGRAM_API_URL" if settings.telegram_api_url != "https://api.telegram.org" else ""
        return Finding(_away("Telegram", settings.telegram_api_url, setting, found.said), "telegram")
    if found.refused_token:
        return Finding(NO_TOKEN, "telegram")
    if not listening and shared(settings):
        return Finding(SHARED, "telegram")
    return None


def shared(settings: Settings, token: str | None = None) -> bool:
    """Whether another program takes this bot's messages; a webhook, which the listener takes away, is none."""
    # confirms nothing: what waits for us goes on waiting
    found = bot_api.call(settings, "getUpdates?limit=1&timeout=0", token)
    return found.status == 409 and "webhook" not in found.said.lower()


def _away(who: str, address: str, setting: str, why: str) -> str:
    """That a server cannot be reached; `why` where it is known that the way there is what is wrong."""
    said = AWAY.format(who=who, address=without_secrets(address), setting=setting)
    return said if not why else f"{said.partition(': check')[0]}: {why}"


def _status(address: str, headers: Mapping[str, str]) -> tuple[int | None, str]:
    """The status of an answer; None when there was none, with what is wrong with the way there, if that is it."""
    request = urllib.request.Request(address, headers={"User-Agent": "furoshiki", **headers})
    try:
        with outbound.road().opened(request, timeout=PATIENCE_S) as answer:
            return int(answer.status), ""
    except urllib.error.HTTPError as error:
        return error.code, ""
    except NoRoad as error:
        return None, str(error)
    except (OSError, ValueError):
        return None, ""
