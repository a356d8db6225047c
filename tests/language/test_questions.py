"""Questions the companion asks itself: which are one, who can answer them, and what a memory answers plainly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.language import questions
from furoshiki.language.questions import likeness, resolver, same, stem

SOME = "what why when did do does not never they I my Ana Bea harbour sea job go goes going home late 3 7 the a to"
WORDS = st.sampled_from(SOME.split())
TEXTS = st.lists(WORDS, max_size=9).map(" ".join)
STEMS = TEXTS.map(stem)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Why do they go to the sea after hard days?", "why does she go to the sea after a hard day"),
        ("What does the harbour mean to them?", "What did the harbour mean to him?"),
        ("Why don't they like Anika?", "Why do they not like Anika?"),
        ("Am I too quick with advice?", "am I too quick with advice"),
    ],
)
def test_one_question_in_other_clothes_is_one(first: str, second: str) -> None:
    assert same(stem(first), stem(second))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Why did Ana leave the old house by the river so early in spring?",
         "Why did Bea leave the old house by the river so early in spring?"),
        ("When did they leave the old house by the river?", "Why did they leave the old house by the river?"),
        ("Why do they like the old house by the river?", "Why don't they like the old house by the river?"),
        ("Did they walk 3 miles along the river on the old path?",
         "Did they walk 5 miles along the river on the old path?"),
        ("Why do I give advice?", "Why do they give advice?"),
        ("Where do they work?", "Where do they swim?"),
        ("", ""),
    ],
)  # fmt: skip
def test_a_detail_makes_it_another(first: str, second: str) -> None:
    assert not same(stem(first), stem(second))


@given(STEMS, STEMS)
def test_likeness_is_a_share_and_has_no_direction(first: str, second: str) -> None:
    assert 0.0 <= likeness(first, second) <= 1.0
    assert likeness(first, second) == likeness(second, first)


@given(TEXTS)
def test_every_question_is_itself_however_it_is_written(text: str) -> None:
    its = stem(text)
    assert likeness(its, its) == (1.0 if its else 0.0)
    assert same(its, stem(f"  {text} ?!  ")) == bool(its)


@given(TEXTS)
def test_a_stem_is_stable(text: str) -> None:
    """Words that only hold a sentence together add nothing to it."""
    assert stem(f"{text} of the to it") == stem(text)


@given(STEMS, STEMS, st.sampled_from(["^ana", "^not", "^7"]))
def test_a_name_a_number_or_a_denial_more_is_another_question(first: str, second: str, mark: str) -> None:
    assert likeness(f"{first} {mark}{mark[1:]}x".strip(), second) == 0.0


@given(st.lists(STEMS, max_size=8))
def test_what_is_left_after_merging_holds_no_two_of_one(stems: list[str]) -> None:
    merged = dict(questions.duplicates(list(enumerate(stems))))
    kept = [its for id_, its in enumerate(stems) if id_ not in merged]
    assert not any(same(a, b) for place, a in enumerate(kept) for b in kept[:place])
    assert all(into < id_ and into not in merged for id_, into in merged.items())


@pytest.mark.parametrize(
    ("question", "who"),
    [
        ("Have they ever told me about Bea?", "self"),
        ("How often did they speak of the harbour?", "self"),
        ("Why did I answer so shortly on Sunday?", "self"),
        ("Would they like a call on their birthday?", "user"),
        ("How did the first day at the harbour go?", "user"),
        ("Do you still swim?", "user"),
        ("What do people see in old ships?", "ambiguous"),
        ("Did I tell you about the ships?", "ambiguous"),
    ],
)
def test_who_can_answer(question: str, who: str) -> None:
    assert resolver(question) == who


@pytest.mark.parametrize(
    ("first", "second", "one"),
    [
        ("Am I too quick with advice?", "Do I give advice too fast?", True),
        ("Why do they go to the sea?", "Does the sea help them to rest?", True),
        ("Where do they work?", "Where do they live?", False),
        ("Where do they work?", "Where does their sister work?", False),
        ("Where does Anika work on Sundays?", "Where does Bea work on Sundays?", False),
        ("Why did they leave the old house?", "When did they leave the old house?", False),
        ("Do they like the old house?", "Do they not like the old house?", False),
    ],
)
def test_nearness_in_meaning_does_not_bridge_a_detail(first: str, second: str, one: bool) -> None:
    assert questions.near(stem(first), stem(second), 0.86) is one
    assert questions.near(stem(second), stem(first), 0.86) is one
    assert not questions.near(stem(first), stem(second), questions.NEAR_COSINE)
