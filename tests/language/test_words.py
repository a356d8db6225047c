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


@pytest.mark.parametrize(
    ("text", "number"),
    [("we move on Sunday", 4), ("我妈三年前走的", 4), ("我在读 War and Peace，很长", 6), ("", 0), ("好", 1)],
)
def test_words_are_counted_without_blanks_too(text: str, number: int) -> None:
    assert words.count_words(text) == number


def test_a_sign_says_as_much_as_three_letters() -> None:
    assert (words.count_letters("我妈走了"), words.count_letters("mum died")) == (12, 8)


def test_a_question_mark_of_any_script_asks() -> None:
    assert all(map(words.ends_asking, ("why?", "为什么？ ", "لماذا؟"))) and words.asks("真的？好")
    assert not words.asks("真的。") and not words.ends_asking("真的？好")


@pytest.mark.parametrize("text", ["asdkjh", "asdfghjkl", "qwertyuiop", "zxcvbn", "fdsjkl!"])
def test_slipped_keys_are_no_word(text: str) -> None:
    assert words.is_gibberish(text)


@pytest.mark.parametrize(
    "text",
    ["rhythm", "knightsbridge", "Angstschweiß", "schtroumpf", "gymnastics", "html", "pfff", "brb", "lol ok", "叮"],
)
def test_a_word_however_odd_is_one(text: str) -> None:
    assert not words.is_gibberish(text)
