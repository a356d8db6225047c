"""Said twice is one thing; said of another, another number, or denied, it is another."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.mind.consolidation.duplicates import Told, same
from tests.support.laws import NOON


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The user likes green tea.", "The user really likes green tea a lot."),
        ("The user's sister is Ana.", "Ana is the user's sister."),
        ("The user enjoys hiking in the mountains.", "The user loves to hike in the mountains."),
        ("They have 2 cats.", "The user has 2 cats."),
        ("The user does not eat meat.", "The user never eats meat."),
    ],
)
def test_two_tellings_of_one_thing(first: str, second: str) -> None:
    assert same(Told(first), Told(second))
    assert same(Told(second), Told(first))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Ana likes green tea.", "Bea likes green tea."),
        ("The user met Ana at the harbour.", "The user met Bea at the harbour."),
        ("The user has 2 cats.", "The user has 3 cats."),
        ("The user has two cats.", "The user has three cats."),
        ("The user runs on Mondays and Friday.", "The user runs on Mondays and Sunday."),
        ("The user eats meat.", "The user does not eat meat."),
        ("The user doesn't eat meat.", "The user eats meat."),
        ("The user likes green tea.", "The user likes black tea."),
        ("The user loves the sea.", "The user hates the sea."),
    ],
)
def test_a_detail_makes_another_thing(first: str, second: str) -> None:
    assert not same(Told(first), Told(second))
    assert not same(Told(second), Told(first))


def test_facts_about_other_things_are_other_facts() -> None:
    lisbon = Told("The user lives in Lisbon", "user", "lives_in", "Lisbon")
    assert same(lisbon, Told("The user lives in Lisbon", "User", "lives_in", "lisbon"))
    assert same(lisbon, Told("The user lives in Lisbon"))
    assert not same(lisbon, Told("The user lives in Lisbon", "user", "lives_in", "Lyon"))
    assert not same(lisbon, Told("The user lives in Lisbon", "user", "works_in", "Lisbon"))
    assert not same(lisbon, Told("The user lives in Lisbon", "Ana", "lives_in", "Lisbon"))


def test_the_same_words_on_another_day_are_another_event() -> None:
    monday = Told("We had dinner by the river", event_time=NOON)
    assert same(monday, Told("We had dinner by the river", event_time=NOON + timedelta(hours=5)))
    assert same(monday, Told("We had dinner by the river"))
    assert not same(monday, Told("We had dinner by the river", event_time=NOON + timedelta(days=7)))


WORDS = "Ana Bea the user likes hates not two 3 cats tea in Lisbon stopped running never loves"
TEXTS = st.lists(st.sampled_from(WORDS.split()), max_size=8).map(" ".join)


@given(TEXTS, TEXTS)
def test_the_order_does_not_matter_and_a_text_is_like_itself(first: str, second: str) -> None:
    assert same(Told(first), Told(second)) == same(Told(second), Told(first))
    assert same(Told(first), Told(first))
