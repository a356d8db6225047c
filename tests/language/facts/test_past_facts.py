"""What was so and is no longer, and what puts something right, read from the user's words by rule."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.language.facts.extraction import facts_in, past_facts_in
from furoshiki.language.facts.retelling import past_to_user
from furoshiki.language.testimony import as_told

PAST = {
    "I used to live in Rome": ["user lives_in Rome"],
    "I used to work as a nurse": ["user works_as nurse"],
    "I used to be a nurse": ["user works_as nurse"],
    "I was a nurse once": [],
    "I was a nurse": ["user works_as nurse"],
    "until May I worked at the harbour": ["user works_at the harbour"],
    "I lived in Rome for ten years": ["user lives_in Rome"],
    "I no longer live in Rome": ["user lives_in Rome"],
    "I don't live in Rome anymore": ["user lives_in Rome"],
    "I don't like coffee any more": ["user likes coffee"],
    "I used to live in Rome but now I live in Paris": ["user lives_in Rome"],
    "my sister Anika used to live in Lisbon": ["Anika lives_in Lisbon"],
    "last year I lived in Rome": ["user lives_in Rome"],
    "I used to love old jazz": ["user likes old jazz"],
    "I live in Rome": [],
    "I've lived in Rome for ten years": [],
    "I'm used to living alone": [],
    "I'm getting used to work at night": [],
    "did I say that I used to live in Rome?": [],
    "if I used to live in Rome I would know": [],
    'she said "I used to live in Rome"': [],
    "I am no longer vegetarian": ["user diet vegetarian"],
    "I'm not a nurse any more": ["user works_as nurse"],
    "Tomas and I broke up on Monday": ["user partner Tomas"],
    "I split up with my girlfriend Eva last week": ["user partner Eva"],
    "did Tomas and I break up?": [],
    "I split the bill with Eva": [],
    "I am not tired any more": [],
    "My late husband Harold was a fisherman": ["Harold works_as fisherman"],
    "I was late, my wife Ann was a nurse": [],
    "my late shift Monday was hard": [],
    "I was tired yesterday": [],
    "I was 12 then": [],
    "I was born in Rome": [],
    "I don't live in Rome": [],
}


@pytest.mark.parametrize("message", PAST)
def test_what_is_over_is_read_as_over(message: str) -> None:
    found = past_facts_in(message)
    assert [f"{fact.subject} {fact.predicate} {fact.object}" for fact in found] == PAST[message]
    assert all(fact.past and message[slice(*fact.span)] == fact.words for fact in found)


def test_what_is_over_is_no_fact_of_today() -> None:
    message = "I used to live in Rome but now I live in Paris"
    assert [fact.object for fact in facts_in(message)] == ["Paris"]
    assert [fact.object for fact in facts_in("I lived in Rome")] == []


def test_it_is_told_as_over() -> None:
    [fact] = past_facts_in("I used to live in Rome")
    assert fact.text == "The user used to live in Rome"
    assert past_to_user("user", "lives_in", "Rome") == "you used to live in Rome"
    assert past_to_user("user", "works_as", "nurse") == "you used to be a nurse"
    assert past_to_user("Anika", "lives_in", "Lisbon") == "Anika used to live in Lisbon"


@pytest.mark.parametrize(
    ("message", "instead"),
    [
        ("no, my sister is called Anika, not Anita", "Anita"),
        ("my sister is not called Anita but Anika", None),
        ("I live in Lyon, not in Paris", "Paris"),
        ("I live in Lyon", None),
    ],
)
def test_a_correction_says_what_it_puts_right(message: str, instead: str | None) -> None:
    assert {fact.instead for fact in facts_in(message)} <= {instead}


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    for fact in past_facts_in(text):
        assert text[slice(*fact.span)] == fact.words


@pytest.mark.parametrize(("said", "gone"), [("our late dog Rex was brown", True), ("my late night with Ann", False)])
def test_who_is_called_late_is_dead(said: str, gone: bool) -> None:
    found = {(fact.predicate, fact.object) for fact in facts_in(as_told(said))}
    assert (("is", "died") in found) is gone
