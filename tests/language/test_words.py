"""What each pattern takes for a word, and the small letters in which words are compared."""

from __future__ import annotations

import re

import pytest

from furoshiki.language import words

SAID = "Ana\u2019s mother-in-law's don't 2 covid-19 my_file"


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        (words.WORD, ["Ana\u2019s", "mother", "in", "law's", "don't", "2", "covid", "19", "my", "file"]),
        (words.RUN, ["Ana", "s", "mother", "in", "law", "s", "don", "t", "2", "covid", "19", "my", "file"]),
        (words.SPELLED, ["Ana\u2019s", "mother", "in", "law's", "don't", "covid", "my", "file"]),
        (words.HYPHENED, ["Ana\u2019s", "mother-in-law's", "don't", "2", "covid-19", "my", "file"]),
        (words.SPELLED_HYPHENED, ["Ana\u2019s", "mother-in-law's", "don't", "covid", "my", "file"]),
        (words.CODED, ["Ana", "s", "mother-in-law's", "don't", "2", "covid-19", "my_file"]),
    ],
)
def test_each_pattern_has_words_of_its_own(pattern: re.Pattern[str], found: list[str]) -> None:
    assert pattern.findall(SAID) == found


def test_names_and_numbers_are_what_has_no_other_word() -> None:
    assert words.NAME_OR_NUMBER.findall("Tell Ana at 18:30 that It works") == ["Ana", "18:30", "It"]


def test_words_are_compared_in_small_letters() -> None:
    assert words.fold("IĞDIR") == words.fold("ığdır") == "iğdir"
    assert (words.bare("Nüsse"), words.bare("José"), words.bare("Ёлка")) == ("nusse", "jose", "елка")
    assert (words.trunk("Ankara'da"), words.trunk("Ana's"), words.trunk("don't")) == ("Ankara", "Ana's", "don't")
    assert words.snake("books to read, soon") == "books_to_read_soon"
