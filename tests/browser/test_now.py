"""Now, in a real browser."""

from __future__ import annotations

from dataclasses import replace

import pytest

from furoshiki.messages.values import COMPANION
from tests.support.browser import PHONE, Opened, until
from tests.support.commands import said
from tests.support.unasked import thinks

pytestmark = pytest.mark.e2e

SCRIPT = '<script>document.title="taken"</script><img src=x onerror=alert(1)>'


def test_it_shows_what_is_on_record_and_follows_it(opened: Opened) -> None:
    world = opened.house.world
    said(world, SCRIPT)
    thinks(world, f"ask about {SCRIPT}")
    page = opened.window("/")
    page.wait_for_selector("text=Live")
    assert SCRIPT in page.inner_text("#messages") and SCRIPT in page.inner_text("#outreach")
    assert "taken" not in page.title()
    beat = world.state.heartbeat()
    for value in beat.emotions.as_mapping().values():
        assert f"{value:.2f}" in page.inner_text("#heart")
    world.state.change(lambda beat: replace(beat, emotions=replace(beat.emotions, joy=0.93)))
    until(page, lambda: "0.93" in page.inner_text("#heart"))
    said(world, "The kettle sings", COMPANION)
    until(page, lambda: "The kettle sings" in page.inner_text("#messages"))


def test_it_needs_no_script(opened: Opened) -> None:
    said(opened.house.world, "Good morning")
    page = opened.window("/", scripts=False)
    assert "Good morning" in page.inner_text("#messages") and "What it feels" in page.inner_text("#heart")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_it(opened: Opened, scheme: str) -> None:
    said(opened.house.world, "Good morning")
    page = opened.window("/", color_scheme=scheme)
    assert not opened.faults(page)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert opened.fits(page) and not opened.faults(page)
