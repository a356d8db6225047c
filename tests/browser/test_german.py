"""Pages in another language, in a real browser: as the browser asks for it, and nothing sticks out on a phone."""

from __future__ import annotations

import pytest

from tests.support.browser import PHONE, Opened
from tests.support.commands import learned, said

pytestmark = pytest.mark.e2e


PAGES = [("/", "Stimmung"), ("/memory", "behalten hat"), ("/settings", "Einstellungen")]


@pytest.mark.parametrize(("path", "words"), PAGES)
def test_a_german_browser_gets_german_pages_that_fit_a_phone(opened: Opened, path: str, words: str) -> None:
    world = opened.house.world
    learned(world, "They row on the river.", said(world, "Ich rudere gern auf dem Fluss"))
    page = opened.window(path, viewport=PHONE, locale="de-DE")
    assert words in page.inner_text("body")
    assert opened.fits(page) and opened.faults(page) == []
