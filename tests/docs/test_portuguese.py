"""Portuguese is one for Brazil and Portugal: nobody is called "tu", and no word is of one of them alone."""

from __future__ import annotations

import re

import polib

from furoshiki.core.catalogue import FOLDER
from furoshiki.core.paths import ROOT

_OF_ONE_COUNTRY = re.compile(
    r"\b(?:tu|ti|contigo|teus?|tuas?|podes|queres|tens|sabes|estás|és|disseste|escreveste)\b"
    r"|\b(?:telemóve|celular|ecrã|ficheir|utilizador|palavras?-passe|autocarro|comboio|registad|facto\b|apetec)"
    r"|\best(?:á|ou|ão|ava) a \w+r\b|[«»]|\w-(?:me|te)\b",
    re.IGNORECASE,
)


def test_nothing_is_said_that_sounds_of_one_country_alone() -> None:
    said = [one.msgstr + " ".join(one.msgstr_plural.values()) for one in polib.pofile(str(FOLDER / "pt.po"))]
    care = (ROOT / "config" / "care" / "pt.toml").read_text(encoding="utf-8").splitlines()
    page = (ROOT / "docs" / "first-page" / "pt.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in (*said, *care, *page) if _OF_ONE_COUNTRY.search(line)] == []
