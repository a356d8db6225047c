"""Phrases are found by words, whatever the spelling, and never across one another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.language import phrases
from furoshiki.language.phrases import Grammar, Phrases, Said

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
        ("<pet> ran|went away", "loss"),
        ("so .. glad", "relief"),
        ("<number> days", "time"),
        ("keeps <ing>", "habit"),
        ("quite|rather [a|the] sight", "wonder"),
    ],
    Grammar.of({"really"}, {"pet": ["dog", "Cat"], "number": ["two"]}),
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
        ("my cat really ran away", [("cat really ran away", "loss")]),
        ("my car ran away", []),
        ("so very very glad", [("so very very glad", "relief")]),
        ("so one two three four glad", []),
        ("12 days, two days", [("12 days", "time"), ("two days", "time")]),
        ("it keeps failing", [("keeps failing", "habit")]),
        ("it keeps still", []),
        ("quite a sight, rather sight", [("quite a sight", "wonder"), ("rather sight", "wonder")]),
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
    places = [said.place(i) for i in range(len(said))]
    for i, (start, end) in enumerate(places):
        assert 0 <= start < end <= len(text)
        assert said.gap(i) == text[end : places[i + 1][0] if i + 1 < len(said) else len(text)]
    assert said.words_in(0, len(text)) == said.plain


@given(st.text(alphabet="ab'c/1_ .,!é’İ\n-9😀❤\u200d·", max_size=20))
def test_the_quick_way_to_words_finds_the_same_at_the_same_places(text: str) -> None:
    straight = phrases._straight(text)
    said = Said(text)
    assert phrases._words(straight) == phrases._WORD.findall(straight)
    assert [said.place(i) for i in range(len(said))] == [one.span() for one in phrases._WORD.finditer(straight)]
