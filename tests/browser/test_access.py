"""Coming in and going out in a browser: by link, by password, from Telegram; who is in, at a desk and on a phone."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from furoshiki.core.logins import links, passwords, tokens
from tests.support.browser import DESK, PHONE, Opened
from tests.support.init_data import signed_data, with_bot

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def test_a_link_a_password_and_the_way_out_need_no_scripts(opened: Opened) -> None:
    house = opened.house
    page = opened.window(
        links.make_link(house.gate.ledger, "viewer", house.world.now, base=""), role=None, scripts=False
    )
    page.get_by_role("button", name="Sign in as a viewer").click()
    assert page.url == f"{opened.address}/" and page.get_by_role("heading", level=1).is_visible()
    page.goto(f"{opened.address}/access")
    page.get_by_role("button", name="Sign out here").click()
    assert "You are signed out." in page.inner_text("main")
    passwords.choose(house.gate.ledger, "admin", "correct horse battery", house.world.now)
    page.goto(f"{opened.address}/sign-in")
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("button", name="Sign in").click()
    page.goto(f"{opened.address}/access")
    page.get_by_label("What it is for").fill("Prometheus")
    page.get_by_role("button", name="Create a token").click()
    key = page.locator("code.secret").inner_text()
    assert key.startswith(tokens.PREFIX) and tokens.of(house.gate.ledger, key, house.world.now) is not None
    page.get_by_role("button", name="Revoke Prometheus").click()
    assert tokens.list_all(house.gate.ledger) == []


def test_telegram_opens_the_pages_and_nothing_of_what_it_signed_stays_in_the_address(opened: Opened) -> None:
    with_bot(opened.house)
    given = signed_data(7, opened.house.world.now.timestamp())
    page = opened.window(f"/app#tgWebAppData={quote(given)}&tgWebAppVersion=9.1", role=None)
    page.wait_for_url(f"{opened.address}/")
    assert page.get_by_role("navigation", name="Pages").first.is_visible()
    alone = opened.window("/app", role=None)
    assert "Send /dashboard to the bot" in alone.inner_text("main")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_everybody_can_use_these_pages(opened: Opened, theme: Any) -> None:
    house = opened.house
    tokens.make_token(house.gate.ledger, "Prometheus", "viewer", house.world.now)
    for role in ("admin", "viewer"):
        passwords.choose(house.gate.ledger, role, "four words of nobody", house.world.now)  # type: ignore[arg-type]
    for view in (DESK, PHONE):
        page = opened.window("/access", viewport=view, color_scheme=theme)
        assert (opened.faults(page), opened.fits(page)) == ([], True)
        nobody = opened.window("/sign-in", role=None, viewport=view, color_scheme=theme)
        assert (opened.faults(nobody), opened.fits(nobody)) == ([], True)
        nobody.goto(opened.address + links.make_link(house.gate.ledger, "admin", house.world.now, base=""))
        assert (opened.faults(nobody), opened.fits(nobody)) == ([], True)
