"""What a terminal shows of Markdown, and that a growing reply is never redrawn."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.faces.terminal.markdown import paint, paint_growing


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("plain words", "plain words"),
        ("**bold** and *leaning*", "bold and leaning"),
        ("__bold__ _leaning_ ~~gone~~ `code`", "bold leaning gone code"),
        ("# A heading", "A heading"),
        ("- one\n* two\n1. three", "• one\n• two\n1. three"),
        ("> said", "│ said"),
        ("[here](https://example.org)", "here (https://example.org)"),
        ("```python\nx = 2 ** 8\n```\nafter", "    x = 2 ** 8\nafter"),
        ("2 * 3 * 4 = snake_case_name", "2 * 3 * 4 = snake_case_name"),
        ("", ""),
        ("a\n\nb", "a\n\nb"),
    ],
)
def test_marks_become_looks(markdown: str, shown: str) -> None:
    assert paint(markdown, 80, colours=False) == shown


def test_colours_surround_words_one_by_one() -> None:
    assert paint("**two words**", 80, colours=True) == "\x1b[1mtwo\x1b[0m \x1b[1mwords\x1b[0m"


def test_lines_break_at_words_and_hang_below_their_bullet() -> None:
    assert paint("- one two three", 9, colours=False) == "• one two\n  three"


def test_wide_characters_count_twice() -> None:
    assert paint("日本 日本", 8, colours=False) == "日本\n日本"


def test_an_open_mark_waits_until_it_is_closed() -> None:
    assert paint_growing("It is **very", 80, colours=False) == "It is"
    assert paint_growing("It is **very** good so", 80, colours=False) == "It is very good"


_MARKDOWN = st.text(alphabet="ab *_`~#->[]()1.\n", max_size=60)


@given(_MARKDOWN, st.booleans())
def test_what_is_painted_early_is_a_beginning_of_all_that_follows(text: str, colours: bool) -> None:
    whole = paint(text, 12, colours)
    before = ""
    for end in range(len(text) + 1):
        now = paint_growing(text[:end], 12, colours)
        assert now.startswith(before)
        before = now
    assert whole.startswith(before)


@given(st.text(alphabet="ab cd\n", max_size=80))
def test_no_word_is_lost(text: str) -> None:
    assert re.findall(r"\S+", paint(text, 20, colours=False)) == re.findall(r"\S+", text)
