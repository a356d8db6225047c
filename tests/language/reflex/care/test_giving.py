"""The numbers of a place in nine languages, and whether an answer gives one of them already."""

from __future__ import annotations

import pytest

from furoshiki.language.requests import helplines
from furoshiki.language.tables.care_words import GRAVE, CareWords, Kind
from tests.support.laws import care_words, help_in


@pytest.mark.parametrize("language", care_words(), ids=lambda one: one.language)
@pytest.mark.parametrize("kind", sorted(GRAVE))
@pytest.mark.parametrize("country", ["DE", "GB", None])
def test_what_is_added_gives_a_number_and_every_frame_is_filled(
    language: CareWords, kind: Kind, country: str | None
) -> None:
    words = helplines.render_addition(kind, help_in(country), language)
    assert helplines.gives(words, kind, help_in(country))
    assert "{" not in words
    assert language.said["asked"][0].rstrip().endswith(("?", "\uff1f"))


@pytest.mark.parametrize("language", care_words()[1:], ids=lambda one: one.language)
def test_no_word_of_it_is_english_where_the_country_is_not_known(language: CareWords) -> None:
    words = helplines.render_addition("self", help_in(None), language)
    assert not any(english in words for english in ("mobile phone", "country", "Somebody"))


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("call 0800 111 0 111", True),
        ("call 08001110111", True),
        ("call +49 800 111 0 111", True),
        ("0800/111-0-111", True),
        ("one one two", True),
        ("bitte eins-eins-zwei", True),
        ("\u0661\u0661\u0662", True),
        ("988", False),
        ("1120", False),
        ("at 11:2", False),
        ("", False),
    ],
)
def test_a_number_is_known_however_it_is_written(text: str, given: bool) -> None:
    assert helplines.gives(text, "self", help_in("DE")) == given
