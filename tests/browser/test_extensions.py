"""Extensions, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import extensions
from tests.support.browser import PHONE, Opened, until

pytestmark = pytest.mark.e2e


def test_lists_follow_and_hostile_words_stay_words(opened: Opened, tmp_path: Path) -> None:
    world = opened.house.world
    extensions.installed(world, tmp_path / "source")
    page = opened.window("/extensions")
    page.wait_for_selector("text=Live")
    assert f"Rolls {extensions.HOSTILE} dice" in page.inner_text("#lists")
    extensions.broke(world)
    until(page, lambda: "dice: KeyError" in page.inner_text("#lists"))


def test_it_works_without_javascript(opened: Opened, tmp_path: Path) -> None:
    extensions.installed(opened.house.world, tmp_path / "source")
    page = opened.window("/extensions", scripts=False)
    page.click("text=dice >> nth=0")
    page.click("text=Switch it off")
    assert "dice is off" in page.inner_text(".flash")
    page.click("text=Look at what it may do")
    assert "nothing beyond its own folder" in page.inner_text("pre.words")
    page.click("text=Allow exactly this")
    assert "dice is enabled" in page.inner_text(".flash")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_it(opened: Opened, tmp_path: Path, scheme: str) -> None:
    world = opened.house.world
    extensions.installed(world, tmp_path / "source")
    extensions.ran(world, 3)
    extensions.ran(world, 1, status="failed", error="TypeError: 'NoneType' object is not subscriptable")
    wish, job = extensions.wrote(world), extensions.broke(world)
    page = opened.window(color_scheme=scheme)
    for path in ("", "/plugins/dice", "/plugins/dice/enable", f"/proposals/plugin-{wish}", f"/repairs/{job}"):
        page.set_viewport_size({"width": 1280, "height": 900})
        page.goto(f"{opened.address}/extensions{path}")
        assert not opened.faults(page), path
        page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        assert opened.fits(page), path
