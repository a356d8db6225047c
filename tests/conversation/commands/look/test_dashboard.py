"""/dashboard: a link for the owner, and the way there from home."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

import pytest

from furoshiki.conversation.commands import registry
from furoshiki.core import atomic_files
from furoshiki.core.logins import addresses, links
from furoshiki.core.logins.ledger import Ledger
from furoshiki.core.logins.values import Link
from furoshiki.messages.roles import Person
from tests.support.commands import Commander, envelope


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


async def test_nobody_but_the_owner_gets_a_link(served: Commander) -> None:
    member = dataclasses.replace(served.world, who=Person("member", "telegram", "8", "8"))
    assert await registry.run(member, "dashboard", "", envelope()) == registry.Words(registry.OWNER_ONLY)
