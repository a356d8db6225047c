"""A real browser before a real server: the machine's Chromium, driven by Playwright, and a dashboard in a thread.

Where there is no Chromium these tests are left out, and say so.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from furoshiki.faces.dashboard import server
from furoshiki.faces.dashboard.access import cookies
from furoshiki.faces.dashboard.values import Role
from tests.support.dashboard import House, Signed

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

CHROMIUM = os.environ.get("FUROSHIKI_TEST_BROWSER") or next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-extensions", "--mute-audio")
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 900}
SERIOUS = ("serious", "critical")


@dataclass
class Driver:
    """The browser of a worker and the one thread that may touch it: Playwright keeps a running loop there, which would
    stand in the way of every asynchronous test in the main thread."""

    thread: ThreadPoolExecutor
    browser: Browser


@pytest.fixture(scope="session")
def driver() -> Iterator[Driver]:
    """One browser for all tests of a worker."""
    if CHROMIUM is None:
        pytest.skip("no Chromium here: install chromium, or name one in FUROSHIKI_TEST_BROWSER")
    from playwright.sync_api import sync_playwright

    with ThreadPoolExecutor(1, "browser") as thread:
        playwright = thread.submit(lambda: sync_playwright().start()).result()
        browser = thread.submit(playwright.chromium.launch, executable_path=CHROMIUM, args=[*FLAGS]).result()
        yield Driver(thread, browser)
        thread.submit(browser.close).result()
        thread.submit(playwright.stop).result()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that has a browser in the browser's thread."""
    driver = pyfuncitem.funcargs.get("driver")
    if not isinstance(driver, Driver):
        return None
    values = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    driver.thread.submit(pyfuncitem.obj, **values).result()
    return True


@dataclass
class Opened:
    """A dashboard on a port, and windows onto it. What the browser complained of is in `complaints`."""

    house: House
    address: str
    browser: Browser
    complaints: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    _contexts: list[BrowserContext] = field(default_factory=list)

    def window(self, path: str = "/", *, role: Role | None = "admin", scripts: bool = True, **options: Any) -> Page:
        """A fresh window of somebody signed in (of nobody without a role), at a page."""
        options.setdefault("viewport", DESK)
        context = self.browser.new_context(java_script_enabled=scripts, **options)
        self._contexts.append(context)
        if role is not None:
            name = cookies.plain(self.house.world.settings)
            context.add_cookies([{"name": name, "value": self.house.sign_in(role), "url": self.address}])
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda told: self.complaints.append(told.text) if told.type == "error" else None)
        page.on("request", lambda request: self.asked.append(request.url))
        page.goto(self.address + path)
        return page

    def faults(self, page: Page) -> list[str]:
        """What axe-core finds serious on a page as it stands: rule and where."""
        from pathlib import Path

        import axe_playwright_python

        if not page.evaluate("() => 'axe' in window"):
            [source] = Path(axe_playwright_python.__file__).parent.glob("axe.min.js")
            page.evaluate(source.read_text())
        found = page.evaluate("async () => (await axe.run(document, {resultTypes: ['violations']})).violations")
        return [
            f"{one['id']}: {node['html'][:200]}" for one in found if one["impact"] in SERIOUS for node in one["nodes"]
        ]

    def fits(self, page: Page) -> bool:
        """Whether nothing of the page sticks out to the side."""
        return bool(page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth"))

    def close(self) -> None:
        """Close every window."""
        for context in self._contexts:
            context.close()


@pytest.fixture
def opened(signed: Signed, driver: Driver) -> Iterator[Opened]:
    """A dashboard that really listens, over the world of the test."""
    house = signed("admin")
    with listening(house) as address:
        made = Opened(house, address, driver.browser)
        yield made
        driver.thread.submit(made.close).result()
    outside = [url for url in made.asked if not url.startswith((address, "data:"))]
    assert not outside, f"asked of the outside: {outside}"
    assert not made.complaints, made.complaints


@contextmanager
def listening(house: House) -> Iterator[str]:
    """The application on a free port of loopback, in a thread; its address."""
    socket = server.bound("127.0.0.1", 0)
    app, ready, hold = house.client.app, threading.Event(), []

    async def run() -> None:
        stop = asyncio.Event()
        hold.append((asyncio.get_running_loop(), stop))
        await server.serve(app, socket, stop, ready.set)  # type: ignore[arg-type]

    thread = threading.Thread(target=asyncio.run, args=(run(),), daemon=True)
    thread.start()
    ready.wait(10)
    try:
        yield f"http://localhost:{socket.getsockname()[1]}"
    finally:
        loop, stop = hold[0]
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)


def until(page: Page, condition: Callable[[], bool], seconds: float = 5.0) -> None:
    """Wait for something that a page comes to show."""
    import time

    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come"
        page.wait_for_timeout(20)
