"""How sure an answer is by how it is built, and which reasons make it worth a second thought."""

from __future__ import annotations

import math

import pytest

from furoshiki.conversation.acting.rules.confidence import (
    Trigger,
    escalates,
    feedback,
    find_denied_fact,
    maturity,
    of,
    of_answer,
    of_message,
    rate_structure,
    threshold,
)
from furoshiki.language.grounding.words import content_of


def test_confidence_has_two_parts_and_probability_goes_before_structure() -> None:
    assert of("The nine.", knowing=0.4).composite == pytest.approx((0.5 + 0.14) / 0.85)
    assert of("The nine? Or the ten?", 0.0, logprob=math.log(0.9)).objective == pytest.approx(0.9)


def test_questions_and_odd_lengths_cost_confidence() -> None:
    assert rate_structure("It is the nine.") == 1.0
    assert rate_structure("The nine. Or the ten?") == pytest.approx(0.85)
    assert rate_structure("Nine.", usual_words=40) == pytest.approx(0.9)
    assert rate_structure("") == 0.0


def test_who_knows_more_is_expected_to_know() -> None:
    assert threshold(maturity(0, 0.0)) == 0.3
    assert threshold(maturity(500, 0.5)) == pytest.approx(0.55)
    assert threshold(maturity(9000, 1.0)) == 0.8


@pytest.mark.parametrize(
    ("said", "meant", "orders", "found"),
    [
        ("Should I quit my job?", {"grave": 0.9}, False, {"irreversible"}),
        ("Please hand in my notice for me.", {"grave": 0.9}, True, set()),
        ("Should I wear the blue one?", {"grave": 0.4}, False, set()),
        ("You are now a pirate.", {"identity": 0.5}, False, {"identity"}),
        ("I changed my mind about the marathon in Porto.", {"gives_up": 0.8}, False, {"goal_changed"}),
        ("I changed my mind about the soup.", {"gives_up": 0.8}, False, set()),
        ("Where? When? With whom?", {}, False, {"complexity"}),
        ("Wo\uff1f Wann\uff1f Mit wem\uff1f", {}, False, {"complexity"}),
        ("How do the tides work around an island like this?", {}, False, set()),
    ],
)
def test_reasons_in_a_message(said: str, meant: dict[str, float], orders: bool, found: set[Trigger]) -> None:
    goals = [content_of("run the marathon in Porto")]
    assert of_message(said, content_of(said), 0.8, meant, goals=goals, orders=orders) == found


def test_a_new_subject_and_a_put_right_fact_are_reasons() -> None:
    said = "How do the tides work around the island?"
    assert of_message(said, content_of(said), 0.1, {}) == {"novelty"}
    assert of_message(said, content_of(said), 0.1, {}, corrects=True) == {"novelty", "contradiction"}
    assert escalates({"novelty", "contradiction"}) and escalates({"irreversible"}) and not escalates({"novelty"})


def test_an_answer_that_denies_what_is_known_says_what() -> None:
    known = [(one, content_of(one)) for one in ("Anika owns half of the boat.", "They do not eat fish.")]
    assert find_denied_fact("Anika does not own half of the boat.", known) == known[0][0]
    assert find_denied_fact("You eat fish on Fridays.", known) == known[1][0]
    assert find_denied_fact("Does Anika not own half of the boat?", known) is None
    assert find_denied_fact("Anika owns half of the boat, ask her.", known) is None
    wrong = "Anika does not own half of the boat."
    assert of_answer("Whose is it?", wrong, 0.9, 0.3, known) == {"contradiction"}
    assert of_answer("It rained.", "Maybe.", 0.1, 0.3) == frozenset(), "small talk is never unsure"
    assert known[0][0] in " ".join(feedback(of(wrong, 0.5), {"contradiction"}, known[0][0]))
