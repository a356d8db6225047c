"""What belongs to the user's people: kept, said back, and found again by "her" and "my sister's"."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from furoshiki.language.facts.extraction import facts_in
from furoshiki.language.facts.retelling import to_user
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.situation import Situation
from furoshiki.language.reflex.values import KnownFact
from furoshiki.language.requests.asked import question

NOW = datetime(2026, 3, 24, 15, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "about", "subject", "sentence"),
    [
        ("yes, once. she has a cat called Miso", "Anika", "Anika", "Anika's cat is called Miso"),
        ("my sister has a grey cat named Miso", None, "sister", "your sister's cat is called Miso"),
        ("my sister's dog is called Rex", None, "sister", "your sister's dog is called Rex"),
    ],
)
def test_an_animal_of_somebody_is_theirs(text: str, about: str | None, subject: str, sentence: str) -> None:
    (fact,) = facts_in(text, about)
    assert fact.subject == subject
    assert to_user(fact.subject, fact.predicate, fact.object) == sentence


def test_a_problem_called_bob_is_no_animal() -> None:
    assert not list(facts_in("she has a problem called Bob", "Anika"))


def test_her_means_the_one_spoken_of() -> None:
    sister = KnownFact(1, "user", "sister", "Anika", "The user's sister is called Anika")
    heard = Heard(Situation("What's her cat called?", NOW, facts=(sister,)))
    assert heard.named_plain == "what's anika's cat called"
    asked = question(heard.named_plain, ["Anika"])
    assert asked is not None and (asked.subject, asked.predicates) == ("Anika", ("cat",))


def test_nobody_is_meant_when_nobody_was_spoken_of() -> None:
    assert Heard(Situation("What's her cat called?", NOW)).named_plain == "what's her cat called"
