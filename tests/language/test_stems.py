"""Which forms of a word are one: to find things by, to prove what was said, and to be shown."""

from __future__ import annotations

import pytest

from furoshiki.language.words import foreign_stems, get_opening, singular, stem, stem_lightly


def test_forms_that_are_looked_up_by_one_another_meet() -> None:
    assert {stem(word) for word in ("live", "lives", "living", "lived")} == {"liv"}
    assert stem("cities") == stem("city")
    assert stem("ana's") == stem("ana") == "ana"
    assert (stem("bed"), stem("red"), stem("ring")) == ("bed", "red", "ring")


def test_what_proves_that_something_was_said_keeps_names_apart() -> None:
    assert stem_lightly("Moved") == stem_lightly("moving") == stem_lightly("moves") == "mov"
    assert stem_lightly("Anne") != stem_lightly("Ann")
    assert stem_lightly("José") == "josé"
    assert stem_lightly("Maria’s") == "maria"


@pytest.mark.parametrize(
    ("noun", "one"),
    [
        ("cities", "city"),
        ("boxes", "box"),
        ("churches", "church"),
        ("boss", "boss"),
        ("bus", "bus"),
        ("inglês", "inglês"),
    ],
)
def test_one_of_many_is_a_word_that_can_be_shown(noun: str, one: str) -> None:
    assert singular(noun) == one


def test_beginnings() -> None:
    assert get_opening("sisters") == get_opening("sister") == "siste"
    assert (get_opening("2024"), get_opening("gas")) == ("2024", "gas")


def test_other_languages_are_stemmed_by_snowball() -> None:
    assert foreign_stems("Häuser", "de") & foreign_stems("Haus", "de")
    assert foreign_stems("evlerimizde", "tr") & foreign_stems("evler", "tr")
    assert foreign_stems("maisons", "fr") & foreign_stems("maison", "fr")
    assert foreign_stems("Huizen", "nl") == {"huizen"}
