"""Every text that is said through a catalogue is in each of them, fits its placeholders, and none is left over."""

from __future__ import annotations

import polib
import pytest

from furoshiki.core.catalogue import FOLDER
from tests.support.said_texts import OTHERS, PLACEHOLDER, plurals, said


def test_the_nine_languages_are_there() -> None:
    assert {"de", "es", "fr", "it", "pt", "ru", "tr", "zh"} == set(OTHERS)


@pytest.mark.parametrize("language", OTHERS)
def test_a_catalogue_says_everything_and_nothing_else(language: str) -> None:
    entries = {one.msgid: one for one in polib.pofile(str(FOLDER / f"{language}.po"))}
    assert sorted(said().keys() - entries.keys() - set(plurals().values())) == []
    assert sorted(entries.keys() - said().keys()) == []
    assert [one.msgid for one in entries.values() if not one.translated()] == []


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_no_placeholder_that_is_not_given(language: str) -> None:
    for one in polib.pofile(str(FOLDER / f"{language}.po")):
        for words in (one.msgstr, *one.msgstr_plural.values()):
            given = said()[one.msgid]
            assert set(PLACEHOLDER.findall(words)) <= given, (one.msgid, words)
