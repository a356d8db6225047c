"""What of a shown answer is said, and how much of it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.channels.telegram.formatting.entities import compose
from furoshiki.models.speech.rules.spoken_text import (
    LONGEST_SECONDS,
    SHORT_SECONDS,
    compose_speech,
    cut_beginning,
    prepare_text,
    seconds,
)

SENTENCE = "The garden is quiet today. "


def mark(kind: str, offset: int, length: int) -> dict[str, Any]:
    return {"type": kind, "offset": offset, "length": length}


def aloud(markdown: str) -> str:
    """An answer as it is said after Telegram's formatting."""
    parts = compose(markdown)
    return compose_speech([(part.text, part.entities) for part in parts], "on")


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("Good **morning**, _Robin_!", "Good morning, Robin!"),
        ("# Today\n\nNothing much", "Today.\nNothing much."),
        ("To buy:\n\n- milk\n- two eggs\n  - brown ones", "To buy:\nmilk.\ntwo eggs.\nbrown ones."),
        ("1. wash\n2. cook", "1. wash.\n2. cook."),
        ("Look here: https://example.org/a?b=c.", "Look here:"),
        ("It is on [their page](https://example.org).", "It is on their page."),
        ("See https://a.example. Then (www.b.example) go.", "See. Then go."),
        ("Well done 👍🏽🎉!", "Well done!"),
        ("Run this:\n\n```sh\nrm -r x\n```\n\nand wait", "Run this:\nand wait."),
        ("| a | b |\n|---|---|\n| 1 | 2 |", ""),
        ("It costs ~~5~~ 7 € on 12.03.2026 at 9:30.", "It costs 7 € on 12.03.2026 at 9:30."),
        ("❤️", ""),
        ("Es sind 21 °C, 50 % Regen", "Es sind 21 °C, 50 % Regen."),
        ("[[kˈæt]] says hi", "kˈæt says hi."),
    ],
)
def test_it_is_worded_for_the_ear(markdown: str, words: str) -> None:
    assert aloud(markdown) == words


def test_marks_are_counted_as_telegram_counts_them() -> None:
    assert prepare_text("😀😀 a b c", [mark("strikethrough", 7, 1)]).text == "a c."


def test_a_short_answer_of_words_alone_suits_a_voice() -> None:
    assert compose_speech([("Yes, gladly 😀", [])], "auto") == "Yes, gladly."


@pytest.mark.parametrize(
    ("text", "entities"),
    [("Look: https://example.org", []), ("x = 1", [mark("pre", 0, 5)]), (SENTENCE * 40, [])],
)
def test_others_do_not(text: str, entities: list[dict[str, Any]]) -> None:
    assert compose_speech([(text, entities)], "auto") == ""


def test_of_a_long_answer_the_first_whole_sentences_are_said() -> None:
    found = compose_speech([(SENTENCE * 100, [])], "on")
    assert found.endswith("today.") and (SENTENCE * 100).startswith(found)
    assert SHORT_SECONDS < seconds(found) <= LONGEST_SECONDS


def test_a_number_is_no_end_of_a_sentence() -> None:
    assert cut_beginning("It is 3.5 km away. And then we went home again.", 2.0) == "It is 3.5 km away."


def test_of_a_sentence_without_an_end_the_first_words_are_said() -> None:
    found = cut_beginning("word " * 1000, 10.0)
    assert found.split() == ["word"] * len(found.split())
    assert 9.0 < seconds(found) <= 10.0


def test_a_sign_that_stands_for_a_word_takes_longer() -> None:
    assert seconds("今天天气很好") > seconds("abcdef")
    assert cut_beginning("今天很好。明天也好。", 1.5) == "今天很好。"


@given(st.text(max_size=200), st.floats(0.1, 20))
def test_what_is_said_is_the_beginning_and_no_longer_than_wanted(text: str, most: float) -> None:
    found = cut_beginning(text, most)
    assert text.startswith(found)
    assert seconds(found) <= most
