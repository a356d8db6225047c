"""Now, in a real browser."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.support.browser import PHONE, Opened, until

pytestmark = pytest.mark.e2e


def test_it_shows_the_heart_and_follows_it(opened: Opened) -> None:
    world = opened.house.world
    page = opened.window("/")
    page.wait_for_selector("text=Live")
    world.state.change(lambda beat: replace(beat, emotions=replace(beat.emotions, joy=0.93)))
    until(page, lambda: "0.93" in page.inner_text("#heart"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_it(opened: Opened, scheme: str) -> None:
    page = opened.window("/", color_scheme=scheme)
    assert not opened.faults(page)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert opened.fits(page) and not opened.faults(page)
