"""Words and choices are read alike by everything that writes ways of saying something."""

from __future__ import annotations

import pytest

from furoshiki.language import word_tables
from furoshiki.language.facts.patterns import Saying
from furoshiki.language.phrases import Grammar, Phrases, Said
from furoshiki.language.word_tables import Choice


@pytest.mark.parametrize(
    ("token", "choice"),
    [
        ("love", Choice((("love",),))),
        ("love|adore", Choice((("love",), ("adore",)))),
        ("[so|very]", Choice((("so",), ("very",)), optional=True)),
        ("close_to|near", Choice((("close", "to"), ("near",)))),
    ],
)
def test_a_token_is_read(token: str, choice: Choice) -> None:
    assert word_tables.read_notation(token) == choice


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("live near", True),
        ("live close to", True),
        ("live right near", True),
        ("live far from", False),
        ("near", False),
    ],
)
def test_one_line_means_the_same_to_both_readers(text: str, said: bool) -> None:
    line = "live [right] close_to|near"
    phrases = Phrases([(line, "there")], Grammar())
    assert bool(list(phrases.found(Said(text)))) is said
    assert bool(list(Saying(line).finditer(text, 0))) is said
