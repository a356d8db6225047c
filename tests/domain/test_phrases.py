"""Phrases are found by words, whatever the spelling, and never across one another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.domain.phrases import Phrases, Said

PHRASES = Phrases(
    [
        ("can't wait", "joy"),
        ("so|very happy", "joy"),
        ("happy", "small joy"),
        ("frustrat*", "anger"),
        ("put _ on", "order"),
        ("good", "praise"),
        ("good", "approval"),
        ("how does _ work*", "question"),
    ]
)


def found(text: str) -> list[tuple[str, str]]:
    said = Said(text)
    return [(text[slice(*said.span(h.first, h.last))], h.meaning) for h in PHRASES.found(said)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I CANT WAIT!", [("CANT WAIT", "joy")]),
        ("I can\u2019t  wait", [("can\u2019t  wait", "joy")]),
        ("I can't. Wait", [("can't. Wait", "joy")]),
        ("so happy", [("so happy", "joy")]),
        ("happy", [("happy", "small joy")]),
        ("soooo happyyy", [("soooo happyyy", "joy")]),
        ("goood", [("goood", "praise"), ("goood", "approval")]),
        ("frustrating", [("frustrating", "anger")]),
        ("frus", []),
        ("put milk on it", [("put milk on", "order")]),
        ("put on", []),
        ("how does it worked", [("how does it worked", "question")]),
        ("\u0130stanbul is so happy", [("so happy", "joy")]),
        ("", []),
        ("111 1111", []),
    ],
)
def test_what_is_found(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


def test_a_whole_message_can_be_asked_for() -> None:
    assert PHRASES.whole(Said("so happy!")) is not None
    assert PHRASES.whole(Said("so happy today")) is None
    assert PHRASES.whole(Said("")) is None


@pytest.mark.parametrize("phrase", ["_ happy", "abc*", "so abc*", "[so] happy", " "])
def test_a_phrase_that_cannot_work_is_refused(phrase: str) -> None:
    with pytest.raises(ValueError, match="must begin with a word|letters"):
        Phrases([(phrase, 1)])


def test_stems_share_a_beginning() -> None:
    phrases = Phrases([("exci* news", "a"), ("exci* day", "b"), ("excite* day", "c")])
    assert [h.meaning for h in phrases.found(Said("exciting news"))] == ["a"]
    assert [h.meaning for h in phrases.found(Said("excited day"))] == ["b", "c"]


@given(st.text(max_size=200))
def test_places_are_those_of_the_words(text: str) -> None:
    said = Said(text)
    assert len(said.places) == len(said)
    for i, (start, end) in enumerate(said.places):
        assert 0 <= start < end <= len(text)
        assert said.gap(i) == text[end : said.places[i + 1][0] if i + 1 < len(said) else len(text)]
