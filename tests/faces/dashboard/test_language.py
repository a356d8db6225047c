"""Pages are in the visitor's language: that of the settings, else the browser's; programs get English."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from starlette.testclient import TestClient

from furoshiki.core.logins.ledger import Ledger
from furoshiki.core.paths import ROOT
from furoshiki.faces.dashboard.access.guard import Gate
from furoshiki.faces.dashboard.app import choose_language, create_app
from furoshiki.mind.inner_life.self_model import description
from furoshiki.world import World
from tests.support.commands import learned, said
from tests.support.dashboard import House
from tests.support.lived_in import lived_in

ENGLISH_WORDS = tomllib.loads((ROOT / "config" / "words" / "en.toml").read_text(encoding="utf-8"))
WORD = re.compile(r"[A-Za-z]{3,}")
OF_MEMORY = ("/memory", "/memory/you", "/memory/standing-out", "/memory/hot", "/memory/forget", "/memory/3")
OF_MIND = ("/mind", *(f"/mind/{one}" for one in ("questions", "expected", "promises", "journal", "self", "wandering")))
OF_TIME = ("/outreach", "/costs", "/time", "/time/cost", "/routing")
OF_WORK = ("/tasks", "/schedules", "/extensions", "/settings", "/access")
PAGES = ("/", "/chat", *OF_MEMORY, *OF_MIND, "/mind/concepts", "/mind/second-thoughts", *OF_TIME, *OF_WORK)

OF_PROGRAMS = ("Firefox on Linux", "run_log: TimeoutError", "budget, voice, FUROSHIKI_", "openai:", "quiet_hours: ")
IN_ENGLISH = tuple(line for lines in ENGLISH_WORDS["style"]["writes"].values() for line in lines)
"""How somebody writes is described in English (docs/languages.md)."""


class _Texts(HTMLParser):
    """The pieces of text of a page, and the labels that are read aloud."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._skipped = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._skipped += tag in ("code", "pre", "script", "style")
        self.found += [value for name, value in attrs if name in ("aria-label", "placeholder") and value]

    def handle_endtag(self, tag: str) -> None:
        self._skipped -= tag in ("code", "pre", "script", "style")

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            self.found.append(" ".join(data.split()))


def _texts(house: House, path: str, language: str) -> list[str]:
    parser = _Texts()
    parser.feed(house.client.get(path, headers={"accept-language": language}).text)
    return parser.found


@pytest.mark.parametrize("path", PAGES)
def test_what_is_seen_most_is_said_in_the_language_of_the_browser(house: House, world: World, path: str) -> None:
    lived_in(world)
    learned(world, "They row on the river.", said(world, "I row on the river"))
    with world.database.read() as db:
        kept = "\n".join(db.iterdump()).replace("''", "'")
    english, german = set(_texts(house, path, "en")), _texts(house, path, "de-CH,de;q=0.9,en;q=0.8")
    same = {text for text in german if text in english and len(WORD.findall(text)) >= 2 and text not in kept}
    named = (*OF_PROGRAMS, *IN_ENGLISH, *description.text(world).splitlines(), "You row on the river.")
    assert {text for text in same if " " in text and not text.startswith(named) and " · " not in text} == set()


def test_no_page_shows_an_escape(house: House, world: World) -> None:
    lived_in(world)
    for path in PAGES:
        assert not [text for text in _texts(house, path, "en") if "&#" in text or "&amp;" in text], path


@pytest.mark.parametrize(("language", "daily"), [("en", "every day at 08:30, 11:30"), ("de", "jeden Tag um 08:30")])
def test_a_rhythm_is_said_in_words(house: House, language: str, daily: str) -> None:
    shown = " ".join(_texts(house, "/schedules", language))
    assert daily in shown and "cron" not in shown


@pytest.mark.parametrize(("language", "joy"), [("en", "joy"), ("de", "Freude")])
def test_lines_of_a_chart_are_named_in_the_language_of_the_page(house: House, language: str, joy: str) -> None:
    asked = {"accept-language": language}
    page = house.client.get("/time", headers=asked).text
    [figures] = re.findall(r'data-series="(/api/v1/series/emotions[^"]+)"', page)
    assert house.client.get(figures.replace("&amp;", "&")).json()["lines"][0]["label"] == joy
    assert house.client.get("/api/v1/series/emotions", headers=asked).json()["lines"][0]["label"] == "joy"


def test_what_is_set_goes_before_the_browser(world: World) -> None:
    french = replace(world, settings=world.settings.model_copy(update={"furoshiki_language": "fr"}))
    gate = Gate(Ledger(world.settings.data), french.settings, world.clock.now)
    page = TestClient(create_app(french, gate), base_url="http://localhost").get("/", headers={"accept-language": "de"})
    assert 'html lang="fr"' in page.text and "Se connecter" in page.text


def test_programs_are_answered_in_english(house: House) -> None:
    answer = house.client.get("/api/v1/status", headers={"accept-language": "de"})
    assert answer.status_code == 200
    assert answer.json()["health"] == house.client.get("/api/v1/status").json()["health"]


@pytest.mark.parametrize(
    ("header", "code"),
    [("de-CH,de;q=0.9,en;q=0.8", "de"), ("nl, pt-BR;q=0.7", "pt"), ("nl", "en"), ("", "en"), (";;,=", "en")],
)
def test_the_first_language_that_can_be_spoken_is_taken(header: str, code: str) -> None:
    assert choose_language(header) == code
