"""Every text that is said through a catalogue is in each of them, fits its placeholders, and none is left over."""

from __future__ import annotations

import re

import polib
import pytest

from furoshiki.core.catalogue import FOLDER, say, speaking
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


HABITS = {
    "fr": r"(?<=[^\W\d_])'(?=[^\W\d_])|\w[!?]|[a-zé];|«\S|\S»",
    "it": r"(?<=[^\W\d_])'(?=[^\W\d_])|[“”]",
    "ru": r"[“”]",
    "tr": r"\}['’]?(?:[dt][ae]n?|[ıiuü]n|y?[aeıiuü])\b",
    "zh": r"[\u4e00-\u9fff}][!?;]|[\u4e00-\u9fff],",
}
"""What is never written in a language: an apostrophe as on a typewriter, English quotation marks, marks without a space
before them (French), Latin marks (Chinese), and endings that would have to fit what is filled in (Turkish)."""


@pytest.mark.parametrize("language", HABITS)
def test_a_translation_is_written_as_its_language_is(language: str) -> None:
    wrong = re.compile(HABITS[language])
    for one in polib.pofile(str(FOLDER / f"{language}.po")):
        for words in (one.msgstr, *one.msgstr_plural.values()):
            plain = re.sub(r"`[^`]*`|https?://\S+", "", words)
            assert wrong.search(plain if language == "tr" else re.sub(r"\{[^}]*\}", "X", plain)) is None, words


def test_a_sentence_that_ends_with_an_abbreviation_has_one_full_stop() -> None:
    with speaking("ru"):
        assert say("That is {when}.", when="пятница, 12 февраля 2027 г.").endswith("2027 г.")
