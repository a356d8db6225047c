"""The frame of all pages: who is let in, what is escaped, what is cached, how errors are told."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest

from furoshiki.faces.dashboard import flash, frame
from furoshiki.language import humanize
from tests.support.dashboard import House, Signed


def test_nobody_sees_anything_without_signing_in(house: House) -> None:
    house.client.cookies.clear()
    answer = house.client.get("/")
    assert answer.status_code == 401
    assert "furoshiki dashboard --open" in answer.text
    assert house.client.get("/api/v1/events").json()["error"]["code"] == "not_signed_in"


def test_what_is_not_there_is_told_with_what_to_do(house: House) -> None:
    assert house.client.get("/nowhere").status_code == 404
    assert house.client.get("/api/v1/nowhere").json() == {
        "error": {
            "code": "not_there",
            "message": "There is nothing here.",
            "fix": "It may have been forgotten or finished; you can get anywhere from the menu.",
        }
    }


def test_styles_and_scripts_are_packed_and_change_their_address_with_their_content(house: House) -> None:
    html = house.page("/")
    [address] = {part.split('"')[0] for part in html.split('href="') if part.startswith("/static/style.css")}
    answer = house.client.get(address, headers={"accept-encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip" and "immutable" in answer.headers["cache-control"]
    assert house.client.get("/static/../app.py").status_code == 404
    assert house.client.get("/static/vendor/README.md").status_code == 404


@pytest.mark.parametrize("words", ["buy milk", "买" * 480, "🎉" * 500, "a" * 5000])
def test_what_a_form_says_fits_into_a_cookie_whatever_it_is_written_in(words: str) -> None:
    answer = flash.back("/", words)
    [cookie] = [value for name, value in answer.headers.items() if name == "set-cookie"]
    carried = unquote(cookie.partition(";")[0].partition("done.")[2].strip('"'))
    assert len(cookie) < 4096 and carried and words.startswith(carried)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_theme_is_kept(house: House, theme: str) -> None:
    assert f'data-theme="{theme}"' in house.post("/theme", theme=theme, back="/")


def test_a_theme_is_chosen_without_losing_the_page(house: House) -> None:
    assert 'name="back" value="/memory?type=fact&amp;q=tea"' in house.page("/memory?type=fact&q=tea")
    fields = {"csrf": house.csrf, "seen": "x", "value": "abc", "q": "budget"}
    refused = house.client.post("/settings/furoshiki_soft_budget_usd", data=fields)
    assert refused.status_code in (409, 422) and 'name="back" value="/settings?q=budget"' in refused.text


def test_a_form_leads_nowhere_else(house: House) -> None:
    answer = house.client.post(
        "/theme", data={"csrf": house.csrf, "theme": "dark", "back": "//evil.example"}, follow_redirects=False
    )
    assert answer.headers["location"] == "/"


@pytest.mark.parametrize(
    ("dollars", "shown"), [(0, "$0.00"), (0.00421, "$0.0042"), (1.2, "$1.20"), (0.5, "$0.50"), (1234.5, "$1,234.50")]
)
def test_amounts_are_read_at_a_glance(dollars: float, shown: str) -> None:
    assert humanize.dollars(dollars) == shown


def test_a_page_belongs_to_its_first_part() -> None:
    found = frame.of("/memory/12")
    assert found is not None and found.label == "Memory"
    assert frame.of("/parts/now/heart") is None


def test_a_viewer_sees_the_pages(signed: Signed) -> None:
    assert "Feels" in signed("viewer").page("/")


def test_without_its_database_what_needs_none_is_shown(house: House) -> None:
    folder = house.world.database.path.parent
    folder.rename(folder.with_name("away"))
    assert house.client.get("/").status_code == 503
    for path in ("/logs", "/settings", "/access"):
        assert "</html>" in house.page(path)


def test_a_part_of_now_fails_alone(house: House) -> None:
    config = house.world.settings.data / "config"
    config.mkdir(exist_ok=True)
    (config / "outreach.toml").write_text("quiet_hours = nonsense")
    page = house.page("/")
    assert "Feels" in page and "outreach.toml" in page
    assert "outreach.toml" in house.page("/parts/now/outreach")


def test_the_menu_shows_five_and_the_rest_under_more(house: House) -> None:
    def menu(path: str) -> tuple[list[str], str]:
        found = house.page(path).partition('<nav class="side"')[2].partition("</nav>")[0]
        shown, _, rest = found.partition('<details class="rest"')
        return re.findall(r'href="([^"]+)"', shown), rest

    shown, rest = menu("/")
    assert shown == ["/", "/chat", "/memory", "/tasks", "/settings"] and not rest.startswith(" open")
    assert {one.path for one in frame.PAGES} == {*shown, *re.findall(r'href="([^"]+)"', rest)}
    assert menu("/costs")[1].startswith(" open"), "where one is, it is seen"
