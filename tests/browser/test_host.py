"""The operator's page in a browser: without scripts, at a desk and on a phone, light and dark; and homes beside it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from furoshiki.core.logins import links
from furoshiki.faces.dashboard import server
from furoshiki.faces.dashboard.access import cookies
from furoshiki.host import homes
from furoshiki.models.limits import limit_file
from tests.support.browser import DESK, PHONE, Driver, Opened
from tests.support.roof import WORDS, Roof, roof, root

__all__ = ["roof", "root"]

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


@contextmanager
def listening(roof: Roof) -> Iterator[str]:
    """The host's dashboard on a free port of loopback; its address."""
    socket, ready, hold = server.bound("127.0.0.1", 0), threading.Event(), []

    async def run() -> None:
        stop = asyncio.Event()
        hold.append((asyncio.get_running_loop(), stop))
        await server.serve(roof.app, socket, stop, ready.set)

    thread = threading.Thread(target=asyncio.run, args=(run(),), daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield f"http://localhost:{socket.getsockname()[1]}"
    finally:
        hold[0][0].call_soon_threadsafe(hold[0][1].set)
        thread.join(10)


def window(roof: Roof, address: str, driver: Driver, home: str | None, path: str = "/", **options: Any) -> Any:
    context = driver.browser.new_context(**{"viewport": DESK, **options})
    if home is not None:
        name = cookies.plain(roof.settings)
        context.add_cookies([{"name": name, "value": roof.secrets[home], "url": address}])
    page = context.new_page()
    page.goto(address + path)
    return page


def test_the_keeper_comes_in_by_a_link_and_has_a_home_rest_without_scripts(roof: Roof, driver: Driver) -> None:
    limit_file.change(roof.root / ".host", "anna", {"money": 0.5})
    with listening(roof) as address:
        link = links.make_link(roof.ledger(""), "admin", roof.now(), base="")
        page = window(roof, address, driver, None, link, java_script_enabled=False)
        page.get_by_role("button", name="Sign in").click()
        assert page.url == f"{address}/" and "2 homes" in page.inner_text("main")
        page.get_by_role("link", name="anna").click()
        assert "$0.00 of $0.50" in page.inner_text("main")
        page.get_by_role("button", name="Have it rest").click()
        assert "anna rests from now on." in page.inner_text("main")
        assert homes.get_home(roof.root, "anna").paused_at is not None
        page.goto(address)
        assert "rests since" in page.inner_text("main")
        page.get_by_role("link", name="anna").click()
        page.get_by_role("button", name="Have it go on").click()
        assert homes.get_home(roof.root, "anna").paused_at is None
        assert not [words for words in WORDS.values() if words in page.content()]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_can_be_read_and_used_by_everybody(roof: Roof, driver: Driver, theme: str, tmp_path: Path) -> None:
    homes.pause(roof.root, "ben", roof.now())
    with listening(roof) as address:
        tool = Opened(None, address, driver.browser)  # type: ignore[arg-type]
        for size in (DESK, PHONE):
            for home, path in (("", "/"), ("", "/homes/ben"), ("", "/access"), (None, "/sign-in"), ("anna", "/chat")):
                page = window(roof, address, driver, home, path, viewport=size, color_scheme=theme)
                page.screenshot(path=tmp_path / f"{theme}-{size['width']}-{path.replace('/', '_')}.png", full_page=True)
                faults = tool.faults(page) if (size is DESK) == (theme == "light") else []
                assert (faults, tool.fits(page)) == ([], True), (path, size)
                page.context.close()
