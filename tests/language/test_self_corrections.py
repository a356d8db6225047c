"""What is taken back within one message, and what only looks like it."""

from __future__ import annotations

import pytest

from furoshiki.language.facts.extraction import facts_in
from furoshiki.language.self_corrections import blank_retractions
from furoshiki.language.testimony import as_told


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("I live in Porto, sorry, Braga", "I live in Braga"),
        ("I live in Porto. Sorry, Braga.", "I live in Braga."),
        ("I live in Porto, well, actually in Braga", "I live in Braga"),
        ("my birthday is 3 May - no, 4 May", "my birthday is 4 May"),
        ("remind me at 5, no, at 6 to call mum", "remind me at 6 to call mum"),
        ("remind me at 5 to call mum, no, at 6", "remind me to call mum at 6"),
        ("remind me on Monday, no wait, on Tuesday to pay", "remind me on Tuesday to pay"),
        ("remind me not at 6 but at 7 to call mum", "remind me at 7 to call mum"),
        ("buy milk, I mean oat milk", "buy oat milk"),
        ("put milk, I mean oat milk on the shopping list", "put oat milk on the shopping list"),
        ("Meine Schwester heißt Irma, quatsch, Olga", "Meine Schwester heißt Olga"),
        ("Ich wohne in Porto, nein, in Braga", "Ich wohne in Braga"),
        ("erinnere mich nicht um 6 sondern um 7 ans Laufen", "erinnere mich um 7 ans Laufen"),
        ("recuérdame a las 5, perdón, a las 6 llamar", "recuérdame a las 6 llamar"),
        ("напомни в 5, нет, в 6 позвонить", "напомни в 6 позвонить"),
        ("6'da değil 7'de hatırlat", "7'de hatırlat"),
    ],
)
def test_what_was_taken_back_is_gone(said: str, left: str) -> None:
    found = blank_retractions(said)
    assert " ".join(found.split()) == left
    assert len(found) == len(said)


@pytest.mark.parametrize(
    "said",
    [
        "I like tea, no, really",
        "I was in Porto, actually in May",
        "I met Tom, actually he called me",
        "I like Porto, actually Braga is nice too",
        "I'm in Porto, sorry, Ana is calling",
        "no, I live in Porto",
        "Is that Porto? No, Braga.",
        "Not bad, but I'm tired",
        "We went to Porto. No, we did not.",
        "Tom came. Wait, did I tell you?",
        "Call Tom, no rush",
        "I met Anna, sorry Tom could not come",
        "She lives in Porto - no idea why",
        "I said no, and at 6 I left",
        "Ich war in Porto, nein wirklich, es war schön",
        "No quiero café, no, gracias",
    ],
)
def test_what_only_looks_like_it_stays(said: str) -> None:
    assert blank_retractions(said) == said


def test_the_last_word_on_somebody_counts() -> None:
    told = "My sister is called Irma. No wait, that's my cousin. My sister is called Olga."
    found = [(one.predicate, one.object) for one in facts_in(as_told(told))]
    assert found == [("cousin", "Irma"), ("sister", "Olga")]


@pytest.mark.parametrize(
    ("said", "predicate", "object_"),
    [
        ("I live in Porto, sorry, Braga", "lives_in", "Braga"),
        ("I work at Siemens, I mean Bosch", "works_at", "Bosch"),
        ("my birthday is 3 May - no, 4 May", "birthday", "4 May"),
        ("My brother is called Tom. Actually no, Tim.", "brother", "Tim"),
        ("My sister is actually called Olga", "sister", "Olga"),
        ("My sister's name is, by the way, Olga", "sister", "Olga"),
        ("My dog is called uh Rex", "dog", "Rex"),
        ("our cat is called, um, Mia", "cat", "Mia"),
    ],
)
def test_a_fact_is_what_was_said_in_the_end(said: str, predicate: str, object_: str) -> None:
    assert [(one.predicate, one.object) for one in facts_in(as_told(said))] == [(predicate, object_)]
