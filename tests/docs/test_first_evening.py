"""docs/first-evening.md, and the first page in other languages, show what really comes of it: every evening on them is
lived again, line by line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image

from furoshiki.core.catalogue import ENGLISH, languages
from furoshiki.core.paths import ROOT
from tests.docs.evenings import FIRST_PAGES, PAGE, invited, played
from tests.docs.phone import SHOWS, digest
from tests.docs.screenshots import IMAGES

EVENINGS = 6


@pytest.mark.slow
def test_the_first_evenings_run_as_they_are_written_down() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page.count("<!-- played: ") == EVENINGS
    assert played(page) == page, "read what changed, then run `python -m tests.docs.evenings`"


def test_the_picture_shows_the_talk_of_the_page() -> None:
    with Image.open(IMAGES / "first-talk.png") as picture:
        assert picture.info.get(SHOWS) == digest(), "run `python -m tests.docs.phone`"


def test_the_page_shows_the_invitation_that_the_machine_shows() -> None:
    assert invited() in PAGE.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("page", FIRST_PAGES, ids=lambda page: page.stem)
def test_the_first_page_shows_a_talk_in_its_language_as_it_runs(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text.count("<!-- played: ") == 1
    assert played(text) == text, "read what changed, then run `python -m tests.docs.evenings`"


def test_every_language_has_a_first_page_that_says_what_to_type_as_the_english_one() -> None:
    english = (ROOT / "README.md").read_text(encoding="utf-8")
    typed = re.findall(
        r"`(?:scripts/|/)[^`]+`|^(?:scripts/run|TELEGRAM_|FUROSHIKI_|ANTHROPIC_)\S+", english, re.MULTILINE
    )
    assert {page.stem for page in FIRST_PAGES} == languages() - {ENGLISH}
    for page in FIRST_PAGES:
        text = page.read_text(encoding="utf-8")
        assert f"docs/first-page/{page.name}" in english
        missing = [one for one in typed if one not in text and one not in ("`scripts/test.sh`",)]
        assert not missing, page.name
