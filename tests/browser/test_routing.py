"""Routing, in a real browser."""

from __future__ import annotations

import pytest

from tests.support.browser import PHONE, Opened, until
from tests.support.routing import decided, healthy

pytestmark = pytest.mark.e2e


def fill(opened: Opened) -> None:
    world = opened.house.world
    with world.database.write() as db:
        healthy(db, world.now, 3)
        decided(db, world.now, 2, mode="ACT", tie_break="classifier")


def test_shares_follow_what_is_said(opened: Opened) -> None:
    fill(opened)
    page = opened.window("/routing")
    page.wait_for_selector("text=Live")
    assert "32 messages" in page.inner_text("#shares")
    with opened.house.world.database.write() as db:
        decided(db, opened.house.world.now)
    until(page, lambda: "33 messages" in page.inner_text("#shares"))


def test_it_works_without_javascript(opened: Opened) -> None:
    fill(opened)
    page = opened.window("/routing", scripts=False)
    page.check("#close")
    page.click("text=Show >> nth=-1")
    assert page.locator("#decisions ~ table tbody tr").count() == 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_it(opened: Opened, scheme: str) -> None:
    fill(opened)
    page = opened.window("/routing", color_scheme=scheme)
    assert not opened.faults(page)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert opened.fits(page) and not opened.faults(page)
