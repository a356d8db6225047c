"""/dashboard: a link for the owner, and the way there from home."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from furoshiki.conversation.commands import registry
from furoshiki.core import atomic_files
from furoshiki.core.logins import addresses, lan, links
from furoshiki.core.logins.lan import Opening
from furoshiki.core.logins.ledger import Ledger
from furoshiki.core.logins.values import Link
from furoshiki.messages.roles import Person
from furoshiki.messages.values import Words
from tests.support.commands import Commander, envelope

ADDRESS = "192.168.178.20"


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """This machine is in no network of anybody's."""
    monkeypatch.setattr(lan, "find_address", lambda: None)


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan, "find_address", lambda: ADDRESS)


@pytest.fixture
def opened(command: Commander, at_home: None) -> Iterator[Opening]:
    """Pages are open for a phone."""
    data, opening = command.world.settings.data, Opening(f"https://{ADDRESS}:8330", "AB:CD", "here", 1774000000.0)
    with atomic_files.locked(data / "run" / lan.LOCK):
        lan.announce(data, opening)
        yield opening


def buttons(words: Words | None) -> list[str]:
    assert words is not None
    return [one["data"] for row in words.extra["buttons"] for one in row]


@pytest.fixture
def served(command: Commander) -> Iterator[Commander]:
    """Some process serves the dashboard."""
    with atomic_files.locked(command.world.settings.data / "run" / addresses.LOCK):
        yield command


def reached_at(command: Commander, url: str) -> Commander:
    settings = command.world.settings.model_copy(update={"furoshiki_dashboard_url": url})
    return Commander(dataclasses.replace(command.world, settings=settings))


async def test_while_it_is_not_served_it_says_how(command: Commander) -> None:
    assert "`FUROSHIKI_DASHBOARD=on`" in (await command("/dashboard")).text


async def test_at_home_it_tells_the_way_and_a_link_that_works(served: Commander) -> None:
    words = await served("/dashboard")
    assert "`ssh -L 8330:127.0.0.1:8330 " in words.text and not words.extra
    [key] = re.findall(r"^http://127\.0\.0\.1:8330/enter/([0-9a-f]{64})$", words.text, re.MULTILINE)
    found = links.examine(Ledger(served.world.settings.data), key, served.world.now)
    assert isinstance(found, Link) and found.role == "admin"


async def test_under_https_it_opens_with_a_button_and_no_mind_reads_the_link(served: Commander) -> None:
    outside = reached_at(served, "https://furo.example.net")
    words = await outside("/dashboard")
    [[here], [browser]] = words.extra["buttons"]
    assert here["web_app"] == "https://furo.example.net/app"
    assert browser["url"].startswith("https://furo.example.net/enter/") and "/enter/" not in words.text
    assert (await outside("/dashboard", channel="console")).text.startswith("http://127.0.0.1:8330/enter/")


@pytest.mark.parametrize(("openssl", "said"), [(True, "is encrypted"), (False, "where you trust everyone")])
async def test_at_home_it_asks_whether_to_open_them_for_a_phone_and_says_how(
    command: Commander, at_home: None, monkeypatch: pytest.MonkeyPatch, openssl: bool, said: str
) -> None:
    monkeypatch.setattr(lan, "can_encrypt", lambda: openssl)
    words = await command("/dashboard")
    assert ADDRESS in words.text and "for an hour" in words.text and said in words.text and "/enter/" not in words.text
    assert buttons(words) == ["dashboard.open:", "dashboard.no:", "dashboard.computer:"]
    assert not lan.find_opening(command.world.settings.data), "nothing opens before the yes"
    no, computer = await command.press("dashboard.no:"), await command.press("dashboard.computer:")
    assert no is not None and "stay closed" in no.text
    assert computer is not None and "FUROSHIKI_DASHBOARD=on" in computer.text


async def test_yes_gives_a_link_with_the_fingerprint(command: Commander, opened: Opening) -> None:
    words = await command.press("dashboard.open:")
    assert words is not None and "`AB:CD`" in words.text
    [(base, key)] = re.findall(r"^(https://.*)/enter/([0-9a-f]{64})$", words.text, re.MULTILINE)
    assert base == opened.base
    data, now = command.world.settings.data, command.world.now
    assert links.examine(Ledger(data), key, now) == "unknown", "elsewhere it is good for nothing"
    assert isinstance(links.examine(Ledger(data, opened.place), key, now), Link)


async def test_open_pages_are_told_and_closed(command: Commander, opened: Opening) -> None:
    words = await command("/dashboard")
    assert opened.base in words.text and buttons(words) == [
        *("dashboard.link:", "dashboard.close:"),
        "dashboard.computer:",
    ]
    closed = await command.press("dashboard.close:")
    assert closed is not None and "signed out" in closed.text
    assert lan.find_opening(command.world.settings.data) is None


async def test_what_stands_against_it_is_told(
    command: Commander, at_home: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(_data: Path, _address: str) -> Opening:
        raise lan.CannotOpen("they did not answer")

    monkeypatch.setattr(lan, "open_pages", fails)
    words = await command.press("dashboard.open:")
    assert words is not None and "could not open them: they did not answer." in words.text


@pytest.mark.parametrize("host", ["0.0.0.0", ADDRESS])
async def test_where_the_dashboard_itself_is_in_the_network_its_own_link_is_given(
    served: Commander, at_home: None, host: str
) -> None:
    settings = served.world.settings.model_copy(update={"furoshiki_dashboard_host": host})
    words = await Commander(dataclasses.replace(served.world, settings=settings))("/dashboard")
    assert words.text.startswith(f"http://{ADDRESS}:8330/enter/") == (host == ADDRESS)


async def test_nobody_but_the_owner_gets_a_link(served: Commander) -> None:
    member = dataclasses.replace(served.world, who=Person("member", "telegram", "8", "8"))
    assert await registry.run(member, "dashboard", "", envelope()) == registry.Words(registry.OWNER_ONLY)
