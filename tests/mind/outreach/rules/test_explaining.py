"""Decisions in words: every gate and every kind has some, and figures read as one says them."""

from __future__ import annotations

import pytest

from furoshiki.mind.outreach.rules import explaining, gates
from furoshiki.mind.outreach.rules.laws import OUTCOMES


@pytest.mark.parametrize("gate", [*gates.GATES, "focus", "open", "novelty", "time"])
@pytest.mark.parametrize("worded", [explaining.describe_pass, explaining.holds])
def test_every_gate_has_words_of_its_own(gate: str, worded: object) -> None:
    assert callable(worded)
    said = worded({"gate": gate, "value": "3 min", "limit": 0.7})
    assert "limit" not in said and not said.endswith(".") and "{" not in said


def test_what_nobody_has_words_for_is_shown_as_it_is() -> None:
    assert explaining.holds({"gate": "tide", "value": 2, "limit": "low"}) == "tide: 2 (low)"
    assert explaining.kind("tide_table") == "a tide table"


@pytest.mark.parametrize(
    ("value", "shown"),
    [("0 min", "a moment"), ("1 min", "1 minute"), ("1 h 0 min", "1 hour"), ("25 h 20 min", "25 hours 20 minutes")],
)
def test_stretches_of_time_are_said(value: str, shown: str) -> None:
    assert f"you wrote {shown} ago (20 minutes needed)" == explaining.holds(
        {"gate": "recent", "value": value, "limit": "20 min"}
    )


def test_why_something_was_held_or_let_go() -> None:
    seen = ({"gate": "cap", "value": 4, "limit": 4},)
    assert explaining.describe_hold("cap", "4 beside 4", seen) == "I wrote first 4 times today (at most 4)"
    assert explaining.describe_hold("words", "nobody answered", ()) == "I couldn't find the words (nobody answered)"
    assert explaining.describe_hold("polish", "too much", ()) == "on second thought I'd rather not say it (too much)"
    assert "you wrote" in explaining.describe_hold("recent", "the owner wrote, or it was closed, while …", seen)
    assert explaining.describe_hold("tide", "it is low", ()) == "it is low"


def test_whose_words_and_how_they_were_received() -> None:
    assert explaining.mind("every gate was open; in the words of anthropic:claude") == "anthropic:claude"
    assert explaining.mind("you asked to be reminded at this time") is None
    assert len({explaining.outcome(one) for one in (*OUTCOMES, None)}) == len(OUTCOMES) + 1
    assert [explaining.describe_weight(one) for one in (0.5, 1.0, 1.2)] == [
        "waits 2.0 times as long",
        "as everything begins",
        "comes before others that are as urgent",
    ]
