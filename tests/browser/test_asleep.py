"""A page that nobody sees listens to nothing: a browser has six connections for all of its tabs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.browser import Opened, until

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

TURN_AWAY = """away => {
    Object.defineProperty(document, "hidden", {configurable: true, get: () => away});
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_a_page_in_the_background_lets_go_and_fetches_what_it_missed(opened: Opened) -> None:
    app: Any = opened.house.client.app
    page = opened.window("/")
    until(page, lambda: len(app.state.hub._watching) == 1)
    page.evaluate(TURN_AWAY, True)
    until(page, lambda: len(app.state.hub._watching) == 0)
    seen = len(opened.asked)
    page.evaluate(TURN_AWAY, False)
    until(page, lambda: len(app.state.hub._watching) == 1)
    until(page, lambda: any("/parts/" in url for url in opened.asked[seen:]))
