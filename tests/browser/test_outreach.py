"""Writing first, in a real browser."""

from __future__ import annotations

import pytest

from tests.support.browser import PHONE, Opened, until
from tests.support.deciding import decided

pytestmark = pytest.mark.e2e


def test_a_decision_arrives_and_what_was_unfolded_stays_so(opened: Opened) -> None:
    world = opened.house.world
    first = decided(world, "the ferry", "sent", hours=2)
    page = opened.window("/outreach")
    page.wait_for_selector("text=Live")
    page.click(f"#gates-{first} summary")
    assert "Quiet hours" in page.inner_text(f"#gates-{first}")
    decided(world, "the kettle")
    until(page, lambda: "the kettle" in page.inner_text("#decisions"))
    assert page.get_attribute(f"#gates-{first}", "open") is not None


def test_filters_need_no_script(opened: Opened) -> None:
    decided(opened.house.world, "the ferry", "sent", hours=2)
    decided(opened.house.world, "the kettle")
    page = opened.window("/outreach", scripts=False)
    page.select_option("#verdict", "sent")
    page.click("text=Show")
    assert "the ferry" in page.inner_text("#decisions") and "the kettle" not in page.inner_text("#decisions")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_it(opened: Opened, scheme: str) -> None:
    first = decided(opened.house.world, "the ferry", "sent", hours=2)
    decided(opened.house.world, "the kettle")
    page = opened.window("/outreach", color_scheme=scheme)
    page.click(f"#gates-{first} summary")
    assert not opened.faults(page)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert opened.fits(page) and not opened.faults(page)
