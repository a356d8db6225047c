"""Settings, in a real browser."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from furoshiki.core import settings
from furoshiki.core.settings import Settings
from furoshiki.maintenance import operator_settings
from tests.support.browser import PHONE, Opened, until

pytestmark = pytest.mark.e2e

FIELD = "furoshiki_companion_name"


@pytest.fixture(autouse=True)
def nothing_from_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "ROOT", tmp_path / "checkout")
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)


def test_it_filters_while_one_types_and_follows_what_others_change(opened: Opened) -> None:
    data = opened.house.world.home
    page = opened.window("/settings")
    page.wait_for_selector("text=Live")
    page.fill("#q", "called")
    until(page, lambda: page.locator(".setting").count() == 1)
    operator_settings.change(data, FIELD, "Mika")
    until(page, lambda: page.input_value(f"#{FIELD}-value") == "Mika")
    page.fill(f"#{FIELD}-value", "typed and not saved")
    page.locator("h1").click()
    operator_settings.change(data, FIELD, "Nemo")
    page.wait_for_event("response", lambda answer: "/settings" in answer.url)
    assert page.input_value(f"#{FIELD}-value") == "typed and not saved"
    page.click(f"#{FIELD} button[value=save]")
    page.wait_for_selector(".fault")
    assert "it's now Nemo" in page.inner_text(".fault")
    opened.complaints[:] = [one for one in opened.complaints if "409" not in one]


def test_it_works_without_javascript(opened: Opened) -> None:
    page = opened.window("/settings", scripts=False)
    page.fill("#q", "hard budget")
    page.click("text=Search >> nth=-1")
    page.fill("#furoshiki_hard_budget_usd-value", "2.5")
    page.click("#furoshiki_hard_budget_usd button[value=save]")
    assert "FUROSHIKI_HARD_BUDGET_USD is now 2.5" in page.inner_text(".flash")
    written = opened.house.world.home / "memory" / "operator_settings.json"
    assert json.loads(written.read_text()) == {"FUROSHIKI_HARD_BUDGET_USD": 2.5}


def test_on_a_phone_pages_are_short_and_so_is_the_menu(opened: Opened) -> None:
    for path in ("/settings", "/settings/keys", "/settings/companion"):
        page = opened.window(path, viewport=PHONE)
        assert page.evaluate("document.documentElement.scrollHeight") < 6 * PHONE["height"], path
    page.click(".menu summary")
    assert page.locator(".menu nav > ul a:visible").all_inner_texts() == ["Now", "Chat", "Memory", "Tasks", "Settings"]
    page.click(".menu details.rest summary")
    assert page.locator(".menu a:has-text('Costs')").is_visible() and opened.fits(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/settings", "/settings/keys"])
def test_everybody_can_read_it(opened: Opened, scheme: str, path: str) -> None:
    page = opened.window(path, color_scheme=scheme)
    assert not opened.faults(page)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert opened.fits(page) and not opened.faults(page)
