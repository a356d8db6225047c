"""Logs, in a real browser."""

from __future__ import annotations

import json

import pytest

from furoshiki.core.timestamps import stamp
from tests.support.browser import PHONE, Opened, until

pytestmark = pytest.mark.e2e


def wrote(opened: Opened, message: str, level: str = "info") -> None:
    world = opened.house.world
    folder = world.settings.data / "logs"
    folder.mkdir(exist_ok=True)
    with (folder / "brain.log").open("a") as file:
        found = {"at": stamp(world.now), "level": level, "logger": "furoshiki", "message": message}
        file.write(json.dumps(found) + "\n")


def test_what_is_logged_appears_and_words_narrow_it_down(opened: Opened) -> None:
    wrote(opened, "<img src=x onerror=alert(1)>", "error")
    page = opened.window("/logs")
    page.wait_for_selector("text=Live")
    assert "<img src=x onerror=alert(1)>" in page.inner_text("#entries")
    wrote(opened, "something new")
    until(page, lambda: "something new" in page.inner_text("#entries"))
    page.fill("#words", "onerror")
    page.click(".filter button")
    assert page.locator(".log > li").count() == 1


def test_the_doctor_looks_without_scripts(opened: Opened) -> None:
    page = opened.window("/logs", scripts=False)
    page.click("text=Let the doctor check now")
    assert "The doctor checked:" in page.inner_text(".flash")
    assert page.inner_text("main").count("The doctor checked") == 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_it(opened: Opened, scheme: str) -> None:
    for level in ("info", "warning", "error"):
        wrote(opened, f"a long line of {level} " * 20, level)
    page = opened.window("/logs", color_scheme=scheme)
    assert not opened.faults(page)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert opened.fits(page) and not opened.faults(page)
