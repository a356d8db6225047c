"""A claim about the user stands on the user's own words, or it does not stand."""

from __future__ import annotations

import pytest

from furoshiki.language.facts.extraction import facts_in
from furoshiki.language.grounding.words import LEAST_SIMILARITY, grounded
from tests.support.statements import STATED


@pytest.mark.parametrize(
    ("claim", "object_", "cited", "ok"),
    [
        ("The user lives in Lyon.", "Lyon", ["I moved to Lyon last year"], True),
        ("The user lives in Lyon.", "Lyon", ["I moved last year"], False),
        ("The user's sister Anika lives in Lisbon.", "Lisbon", ["my sister anika lives in lisbon"], True),
        ("The user's sister Anna lives in Lisbon.", "Lisbon", ["my sister Anika lives in Lisbon"], False),
        ("The user has 3 cats.", "3 cats", ["we have 3 cats"], True),
        ("The user has 4 cats.", "4 cats", ["we have 3 cats"], False),
        ("The user is afraid of flying and of heights.", None, ["the soup was good"], False),
        ("The user likes hiking.", "hiking", ["I hiked all weekend"], True),
        ("The user likes hiking.", "hiking", [], False),
        ("The user likes hiking.", "hiking", ["   "], False),
    ],
)
def test_words_and_names(claim: str, object_: str | None, cited: list[str], ok: bool) -> None:
    verdict = grounded(claim, object_, cited)
    assert verdict.ok is ok
    assert bool(verdict.reason) is not ok


def test_likeness_stands_in_for_words_but_never_for_names() -> None:
    claim, cited = "The user dreads aeroplanes, turbulence and heights.", ["flying frightens me"]
    assert not grounded(claim, None, cited).ok
    assert grounded(claim, None, cited, LEAST_SIMILARITY).ok
    assert not grounded(claim, None, cited, LEAST_SIMILARITY - 0.01).ok
    assert not grounded("The user dreads Lufthansa flights.", None, cited, 0.99).ok


@pytest.mark.parametrize("message", [message for message in STATED if message])
def test_every_fact_the_patterns_find_is_grounded_in_its_message(message: str) -> None:
    for fact in facts_in(message):
        assert grounded(fact.text, fact.object, [message]).ok, fact.text


@pytest.mark.parametrize(
    ("claim", "said", "ok"),
    [
        ("They start at the harbour on Monday after their divorce.", "I start at the harbour on Monday", False),
        ("They are pregnant and work at the harbour.", "I work at the harbour, the baby is due in May", True),
        ("Their cat Momo died in May.", "Momo, my cat, passed away in May", True),
        ("Their cat Momo died in May.", "Momo, my cat, slept all of May", False),
        ("They lost their job at the harbour.", "I was fired at the harbour, I lost the job", True),
    ],
)
def test_other_words_may_not_add_what_changes_a_life(claim: str, said: str, ok: bool) -> None:
    assert grounded(claim, None, [said], similarity=0.9).ok is ok
