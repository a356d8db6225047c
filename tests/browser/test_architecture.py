"""Architecture, in a real browser."""

from __future__ import annotations

import pytest

from furoshiki.mind.outreach.store import kinds
from tests.support.browser import Opened, until

pytestmark = pytest.mark.e2e


def test_a_loop_opens_by_key_and_follows_what_moves_it(opened: Opened) -> None:
    world = opened.house.world
    page = opened.window("/architecture")
    page.wait_for_selector("text=Live")
    page.focus('table a[href="/architecture/loops/writing-first"]')
    page.keyboard.press("Enter")
    page.wait_for_selector("h1:has-text('Writing first')")
    page.wait_for_selector("text=Live")
    with world.database.write() as db:
        kinds.learn(db, "thought", "disliked", 0.37, world.now)
    until(page, lambda: "0.37: 0 answered" in page.inner_text("#stands"))


@pytest.mark.parametrize("scripts", [True, False])
def test_the_simulator_follows_its_sliders(opened: Opened, scripts: bool) -> None:
    page = opened.window("/architecture/simulator?preset=rest", scripts=scripts)
    page.fill("#feel-joy", "0")
    page.fill("#feel-anger", "0.95")
    if not scripts:
        page.click("text=Work it out")
    until(page, lambda: "irritated" in page.inner_text("#mood-then"))
    assert page.inner_text("#shown-anger") == "0.95" and "fewer words" in page.inner_text("#simulated")
    if scripts:
        page.fill("#hours", "24")
        until(page, lambda: "after 24 hours" in page.inner_text("#simulated"))
        assert page.inner_text("#shown-hours") == "24"
