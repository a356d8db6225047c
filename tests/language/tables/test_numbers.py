"""Numbers in words, and the names of days and months, with their short forms."""

from __future__ import annotations

import re

import pytest

from furoshiki.language.dates.tokens import value_in
from furoshiki.language.tables.calendar_names import MONTHS, WEEKDAYS
from furoshiki.language.tables.numbers import COUNT, NUMBERS, amount_of, spelled, up_to


@pytest.mark.parametrize(
    ("word", "number"), [("two", 2), ("2", 2), ("1,5", 1.5), ("Twelve", 12), ("an", 1), ("seventy", 70)]
)
def test_an_amount_is_read_in_digits_and_words(word: str, number: float) -> None:
    assert amount_of(word) == number
    assert amount_of("couple") == 2
    with pytest.raises(ValueError, match="dozen"):
        amount_of("dozen")


def test_a_count_takes_the_longest_word_there_is() -> None:
    found = re.match(COUNT, "seventeen")
    assert found and found[0] == "seventeen"
    assert up_to(3, first=1) == "one|two|three"
    assert list(NUMBERS.values()) == [*range(21), *range(30, 100, 10)]


@pytest.mark.parametrize(("kind", "names", "first"), [("w", WEEKDAYS, 0), ("M", MONTHS, 1)])
def test_names_are_read_whole_and_short(kind: str, names: tuple[str, ...], first: int) -> None:
    for number, name in enumerate(names, first):
        assert value_in(name, "en", kind) == value_in(name[:3].upper(), "en", kind) == number
    assert value_in("sept", "en", "M") == 9
    assert value_in("janu", "en", "M") is None


@pytest.mark.parametrize(
    ("language", "text", "number"),
    [
        ("it", "tremilacinquecento euro", 3500),
        ("it", "millenovecentonovantotto", 1998),
        ("de", "dreitausendfünfhundert", 3500),
        ("de", "neunzehnhundertachtundneunzig", 1998),
        ("es", "mil doscientos cincuenta", 1250),
        ("fr", "mille neuf cent quatre-vingt-dix-huit", 1998),
        ("pt", "três mil e quinhentos", 3500),
        ("ru", "три тысячи пятьсот", 3500),
        ("tr", "üç bin beş yüz", 3500),
        ("en", "three thousand five hundred", 3500),
        ("en", "two hundred and forty", 240),
    ],
)
def test_hundreds_and_thousands_are_read_in_words(language: str, text: str, number: int) -> None:
    assert spelled(text, language) == [number]
