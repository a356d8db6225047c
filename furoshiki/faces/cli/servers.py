"""Checks that the servers in the settings answer and accept the keys, with free calls.

Used by `furoshiki config check` and `furoshiki status`, unless `--offline`. Models are asked for
their list, Telegram for the bot's name and, if no listener of ours runs, for other programs that
poll.
"""

import re
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http import HTTPStatus

from furoshiki.core.catalogue import later, say
from furoshiki.core.database.troubles import MODEL
from furoshiki.core.network import outbound
from furoshiki.core.network.addresses import without_secrets
from furoshiki.core.network.providers import ProviderSpec
from furoshiki.core.network.proxies import NoRoad
from furoshiki.core.settings import Settings
from furoshiki.faces.cli import bot_api
from furoshiki.maintenance import setup_check
from furoshiki.models.llm.failures import of_status
from furoshiki.models.llm.plans import Plans

PATIENCE_S = 4.0  # seconds that a server may take to answer; all are asked at the same time

_REFUSED = (401, 403)
_VERSIONED = re.compile(r"/v\d")

AWAY = later("{who} cannot be reached at {address}: check the network, and what {setting} says")
NO_ROAD = later("{who} cannot be reached at {address}: {why}")
NOT_STARTED = later("{who} does not answer at {address}: start it")
NO_TOKEN = later("Telegram refused TELEGRAM_BOT_TOKEN: copy the token again from @BotFather")
SHARED = later(
    "another program is receiving this bot's messages, so some would never get here: stop it "
    "(perhaps a second Furoshiki with the same TELEGRAM_BOT_TOKEN), or make a new token with "
    "@BotFather (/revoke)"
)


@dataclass(frozen=True)
class Finding:
    """A trouble of a server, and the name prefix of recorded troubles that mean the same."""

    words: str
    about: str


def check_all(settings: Settings, plans: Plans, *, listening: bool) -> list[Finding]:
    """Ask every needed server; return the troubles. `listening`: our own listener polls."""
    questions = [_provider(settings, spec) for spec in setup_check.list_providers(plans) if spec.by_net]
    if settings.telegram_bot_token is not None:
        questions.append(lambda: _telegram(settings, listening))
    if not questions:
        return []
    with ThreadPoolExecutor(len(questions)) as pool:
        return [found for found in pool.map(lambda question: question(), questions) if found is not None]


def _provider(settings: Settings, spec: ProviderSpec) -> Callable[[], Finding | None]:
    values = settings.model_values()
    address = spec.answers_at(values)

    def ask() -> Finding | None:
        status, why = _status(spec.list_of_models(address), spec.headers(values[spec.key_setting]))
        if status == HTTPStatus.NOT_FOUND and not _VERSIONED.search(address):  # the program tries this, too
            status, why = _status(f"{address}/v1/models", spec.headers(values[spec.key_setting]))
        if status is None:
            if spec.here and not values[spec.address_setting] and not why:
                words = say(NOT_STARTED, who=spec.title, address=without_secrets(address))
            else:
                words = _away(spec.title, address, spec.address_setting, why)
        elif status in _REFUSED:
            words = str(of_status(status, key_variable=spec.key_setting))
        else:
            return None  # it is there; a server without a list of models is fine
        return Finding(words, f"{MODEL}{spec.name}:")

    return ask


def _telegram(settings: Settings, listening: bool) -> Finding | None:
    found = bot_api.call(settings, "getMe")
    if found.status is None:
        return Finding(_away("Telegram", settings.telegram_api_url, "TELEGRAM_API_URL", found.said), "telegram")
    if found.refused_token:
        return Finding(say(NO_TOKEN), "telegram")
    if not listening and is_shared(settings):
        return Finding(say(SHARED), "telegram")
    return None


def is_shared(settings: Settings, token: str | None = None) -> bool:
    """Return whether another program polls this bot; a webhook, which we remove, does not count."""
    # this confirms no update: waiting ones stay
    found = bot_api.call(settings, "getUpdates?limit=1&timeout=0", token)
    return found.status == 409 and "webhook" not in found.said.lower()


def _away(who: str, address: str, setting: str, why: str) -> str:
    """Say that a server cannot be reached; `why` is a known fault on the way."""
    if why:
        return say(NO_ROAD, who=who, address=without_secrets(address), why=why)
    return say(AWAY, who=who, address=without_secrets(address), setting=setting)


def _status(address: str, headers: Mapping[str, str]) -> tuple[int | None, str]:
    """Return the status of the answer, or None and, if known, the fault on the way."""
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
