"""Every page, with nothing in it and with a month in it, for an admin and a viewer, in both themes and on a phone:
nothing serious for axe, nothing that sticks out, no complaint of the browser, no request to the outside."""

from __future__ import annotations

from contextlib import suppress

import pytest

from furoshiki.faces.dashboard.frame import PAGES
from tests.support.browser import DESK, PHONE, Opened, until
from tests.support.lived_in import lived_in

pytestmark = pytest.mark.e2e

BESIDES = ("/architecture/loops/relevance", "/architecture/simulator", "/memory/you")
"""Pages behind pages."""


@pytest.mark.parametrize(("filled", "role", "scheme"), [(False, "viewer", "light"), (True, "admin", "dark")])
def test_every_page_can_be_read_and_used(opened: Opened, filled: bool, role: str, scheme: str) -> None:
    if filled:
        lived_in(opened.house.world)
    page = opened.window("/access", role=role, color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
    found: list[str] = []
    for path in (*(one.path for one in PAGES), *BESIDES):
        page.set_viewport_size(DESK)  # type: ignore[arg-type]
        answer = page.goto(opened.address + path)
        assert answer is not None
        if answer.status != 200:
            found.append(f"{path}: answered with {answer.status}")
            continue
        for size in (DESK, PHONE):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            with suppress(AssertionError):  # charts take a moment to follow the window
                until(page, lambda: opened.fits(page), 2.0)
            found += [] if opened.fits(page) else [f"{path} sticks out at {size['width']}"]
            if filled == (size is DESK):  # axe takes longest: each page once in each theme, at a desk or on a phone
                found += [f"{path} at {size['width']}: {fault}" for fault in opened.faults(page)]
        headings = page.eval_on_selector_all("h1", "all => all.length")
        found += [] if headings == 1 else [f"{path}: {headings} first headings"]
    assert not found, "\n".join(found)


def test_a_page_is_walked_through_by_keys(opened: Opened) -> None:
    page = opened.window("/architecture", reduced_motion="reduce", forced_colors="active")
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.closest('main') !== null")
    style = page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
    assert style != "none", "one sees where one is"
    page.emulate_media(media="print")
    assert not page.is_visible("nav.side") and page.is_visible("h1")
