"""Costs, in a real browser."""

from __future__ import annotations

import pytest

from furoshiki.models.llm.store import costs
from furoshiki.models.llm.values import CallRecord, Usage
from tests.support.browser import PHONE, Opened, until

pytestmark = pytest.mark.e2e

CALL = CallRecord("chat", "anthropic", "claude", "turn", Usage(input=1000, output=100), 0.42, 2.0, "inbox:1")


def test_a_call_appears_as_it_is_paid(opened: Opened) -> None:
    world = opened.house.world
    page = opened.window("/costs")
    page.wait_for_selector("text=Live")
    with world.database.write() as db:
        costs.add(db, CALL, world.now)
    until(page, lambda: "$0.42" in page.inner_text("#costs"))
    until(page, lambda: page.evaluate("() => document.querySelector('img.drawn').naturalWidth > 0"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_it(opened: Opened, scheme: str) -> None:
    world = opened.house.world
    with world.database.write() as db:
        costs.add(db, CALL, world.now)
    page = opened.window("/costs", color_scheme=scheme)
    assert not opened.faults(page)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert opened.fits(page) and not opened.faults(page)
