"""What draws attention: everything weighed alike, what loses fades, and is let go of in the end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from furoshiki.conversation.acting.rules.attention import (
    DRAWS,
    LET_GO_AFTER,
    Around,
    Candidate,
    alike,
    cycle,
    find_stronger,
    weigh,
)
from furoshiki.language.grounding.words import content_of

SEA = content_of("the sea at Nazaré")
DUE = Candidate("tasks:1", "schedule", 1.0, "book the ferry", content_of("book the ferry"))
IDLE = Candidate("gists:1", "drift", 0.5, "the sea at Nazaré", SEA)
SAID = Candidate("inbox:1", "user", 1.0, "", content_of("which ferry goes to the island on Sunday"))


def test_salience_has_four_parts_and_the_largest_is_why() -> None:
    around = Around(recent=[SEA], goals=[SEA], charge=0.5, felt_about=content_of("sea"))
    one = weigh(IDLE, around)
    assert (one.novelty, one.relevance, one.charge, one.urgency) == (0.0, 1.0, 0.5, 0.2)
    assert one.salience == pytest.approx(0.3 + 0.1 + 0.04)
    assert one.why == "it has to do with what matters now"
    assert weigh(IDLE, Around()).why == "it is new"


def test_what_loses_fades_and_is_let_go_of() -> None:
    lost = [weigh(replace(DUE, lost=times), Around()) for times in (0, 1, 10, LET_GO_AFTER)]
    assert [round(one.urgency, 3) for one in lost[:3]] == [0.6, 0.54, 0.209]
    assert [one.let_go for one in lost] == [False, False, False, True]
    assert lost[-1].salience == 0.0


def test_a_pressing_thought_is_more_urgent_than_one_that_does_not_press() -> None:
    urgent = [weigh(replace(DUE, priority=priority), Around()).urgency for priority in (1, 2, 3, 4, 5)]
    assert urgent == sorted(urgent, reverse=True) and urgent[0] <= 1


def test_words_that_say_something_come_first_and_a_mumble_does_not() -> None:
    asked = cycle([DUE, IDLE, SAID], Around(goals=[SAID.content]))
    assert asked[0].candidate is SAID and find_stronger(asked, SAID.ref) is None
    mumbled = replace(SAID, content=frozenset())
    there = cycle([IDLE, DUE, mumbled], Around())
    found = find_stronger(there, mumbled.ref)
    assert found is not None and found.candidate is DUE
    assert find_stronger(there, mumbled.ref, [DUE.ref]) is None, "told once; the other is new and no more than that"
    assert weigh(IDLE, Around()).salience < DRAWS


def test_likeness_is_one_for_the_same_and_nothing_for_strangers() -> None:
    assert alike(SEA, SEA) == pytest.approx(1.0)
    assert alike(SEA, DUE.content) == alike(SEA, frozenset()) == 0.0
