"""/dashboard in Telegram: a tap opens the pages in the own network, a link lets one browser in, a tap closes them."""

from __future__ import annotations

import http.client
import re
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from furoshiki.core.logins import lan
from tests.emulators.telegram import TelegramEmulator
from tests.support.forked_program import ForkedProgram, command
from tests.support.ports import LOOPBACK, free_port

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def at_home(*args: str) -> None:
    """`furoshiki …` on a machine whose address in its network stands on loopback."""
    setattr(lan, "find_address", lambda: LOOPBACK)  # noqa: B010 - in this process alone
    command(*args)


class AtHome(ForkedProgram):
    work = staticmethod(at_home)


@pytest.fixture
def program(tmp_path: Path, telegram: TelegramEmulator) -> Iterator[AtHome]:
    with AtHome(tmp_path / "data", telegram, FUROSHIKI_DASHBOARD_PORT=str(free_port())) as found:
        yield found


def answer(telegram: TelegramEmulator, words: str) -> Any:
    """The newest message of the bot in which these words stand."""
    found = lambda: next((one for one in reversed(telegram.chat()) if one.author == "bot" and words in one.text), None)  # noqa: E731
    return telegram.wait_for(found)


def ask(program: AtHome, link: str, method: str = "GET", cookie: str = "") -> http.client.HTTPResponse:
    scheme, _, rest = link.partition("://")
    host, _, path = rest.partition("/")
    [pinned] = (program.data / "run").glob("dashboard-lan-*.pem")
    assert scheme == "https"
    line = http.client.HTTPSConnection(host, timeout=20, context=ssl.create_default_context(cafile=pinned))
    line.request(method, f"/{path}", headers={"Cookie": cookie} if cookie else {})
    return line.getresponse()


def test_one_tap_opens_the_pages_for_one_phone_and_they_end_with_the_listener(
    program: AtHome, telegram: TelegramEmulator
) -> None:
    if not lan.can_encrypt():
        pytest.skip("openssl is not installed here")
    listener = program.listening()
    telegram.say("/dashboard")
    offer = answer(telegram, "open my pages to your phone")
    assert LOOPBACK in offer.text and lan.find_opening(program.data) is None
    telegram.press(offer.id, "dashboard.open:")
    opened = answer(telegram, "They are open.")
    [link] = re.findall(r"^https://\S+$", opened.text, re.MULTILINE)
    opening = lan.find_opening(program.data)
    assert opening is not None and link.startswith(f"{opening.base}/enter/") and opening.fingerprint in opened.text
    entered = ask(program, link, "POST")
    cookie = entered.headers["set-cookie"].partition(";")[0]
    assert entered.status == 303 and ask(program, link, "POST").status == 410
    page = ask(program, f"{opening.base}/", cookie=cookie)
    assert page.status == 200 and b"/dashboard" in page.read()

    telegram.say("/dashboard")
    stands = answer(telegram, "My pages have been open to your phone at")
    telegram.press(stands.id, "dashboard.close:")
    answer(telegram, "They are closed")
    program.wait_for(lambda: not lan.lock_held(program.data / "run" / lan.LOCK), what="the end of the pages")

    telegram.say("/dashboard")
    again = telegram.wait_for(
        lambda: next((one for one in telegram.chat() if one.id > stands.id and "open my pages" in one.text), None)
    )
    telegram.press(again.id, "dashboard.open:")
    program.wait_for(lambda: lan.find_opening(program.data), what="pages that are open again")
    listener.kill()
    program.wait_for(lambda: not lan.lock_held(program.data / "run" / lan.LOCK), what="their end with the listener")
    secret = re.compile(rb"/enter/[0-9a-f]{64}")
    logs = b"".join(one.read_bytes() for one in (program.data / "logs").glob("*.log"))
    assert not secret.search(logs)
