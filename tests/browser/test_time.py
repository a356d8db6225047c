"""Time, in a real browser."""

from __future__ import annotations

from datetime import timedelta

import pytest

from furoshiki.feelings.store import history
from furoshiki.world import World
from tests.support.browser import PHONE, Opened, until
from tests.support.commands import said

pytestmark = pytest.mark.e2e


def lived(world: World) -> None:
    beat = world.state.heartbeat()
    with world.database.write() as db:
        for hours in range(48, 0, -1):
            at = world.now - timedelta(hours=hours)
            history.record(db, at, beat.emotions.as_mapping(), beat.needs, "content", "tick")
    said(world, "Good morning", at=world.now - timedelta(hours=2))


def test_it_draws_what_is_on_record_and_follows_it(opened: Opened) -> None:
    world = opened.house.world
    lived(world)
    page = opened.window("/time?span=7d")
    page.wait_for_selector("text=Live")
    page.wait_for_selector("figure[data-series*=emotions] canvas")
    page.locator("#messages").scroll_into_view_if_needed()
    drawn = page.locator("figure[data-series*=messages][data-drawn]")
    drawn.wait_for()
    before = drawn.get_attribute("data-drawn")
    page.click("section:has(#messages) summary")
    said(world, "And again", at=world.now - timedelta(hours=1))
    until(page, lambda: drawn.get_attribute("data-drawn") != before)
    until(page, lambda: "2" in page.inner_text("#table-messages tbody tr >> nth=0"))
    page.uncheck("[data-series*=emotions] label:has-text('joy') input")


def test_without_a_script_there_are_pictures_and_tables(opened: Opened) -> None:
    lived(opened.house.world)
    page = opened.window("/time?span=7d", scripts=False)
    wide = "image => image.complete && image.naturalWidth"
    shown = page.locator("section:has(#emotions) noscript img")
    until(page, lambda: bool(shown.evaluate(wide)))
    page.click("#figures-emotions summary")
    page.click("#figures-emotions a")
    assert "loneliness" in page.inner_text("main")
    page.click("text=30 days")
    assert "span=30d" in page.url


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_it(opened: Opened, scheme: str) -> None:
    lived(opened.house.world)
    page = opened.window("/time", color_scheme=scheme)
    page.wait_for_selector("figure[data-drawn]")
    assert not opened.faults(page)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    until(page, lambda: opened.fits(page))
    assert not opened.faults(page)
