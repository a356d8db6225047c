"""What recurs, what is about the companion's own conduct, and what may be promised because of it."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.mind.inner_life.rules import patterns
from furoshiki.mind.inner_life.rules.patterns import (
    OFTEN,
    WAITS,
    WITHIN,
    find_recurrence,
    ripe,
    unfit,
)
from tests.support.laws import NOON

DAY = timedelta(days=1)
MOMENTS = st.integers(min_value=0, max_value=60 * 24 * 60).map(lambda minutes: NOON + timedelta(minutes=minutes))


def on(*days: float) -> list[datetime]:
    return [NOON + day * DAY for day in days]


# -- the window --


@given(st.lists(MOMENTS, max_size=12), st.none() | MOMENTS)
def test_it_recurs_exactly_when_some_fourteen_days_hold_three_moments(
    times: list[datetime], since: datetime | None
) -> None:
    after = {at for at in times if since is None or at > since}
    held = {end for end in after if len([at for at in after if end - WITHIN <= at <= end]) >= OFTEN}
    assert find_recurrence(times, since) == max(held, default=None)


@given(st.lists(MOMENTS, max_size=8), st.randoms())
def test_neither_order_nor_repetition_counts(times: list[datetime], rng: object) -> None:
    shuffled = [*times, *times]
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    assert find_recurrence(shuffled) == find_recurrence(times)


@pytest.mark.parametrize(
    ("days", "recurs"),
    [
        ((0, 7, 14), True),
        ((0, 7, 15), False),
        ((0, 1), False),
        ((0, 0, 0), False),
        ((0, 7, 15, 20, 21), True),
        ((0, 10, 20, 30, 40), False),
    ],
)
def test_three_in_fourteen_days_and_not_in_fifteen(days: tuple[float, ...], recurs: bool) -> None:
    assert (find_recurrence(on(*days)) is not None) is recurs


def test_a_reviewed_pattern_must_recur_to_count() -> None:
    times = on(0, 1, 2)
    assert ripe(times, None, NOON + 2 * DAY)
    assert not ripe(times, NOON + 2 * DAY, NOON + 3 * DAY)
    assert not ripe([*times, *on(3, 4)], NOON + 2 * DAY, NOON + 4 * DAY)
    assert ripe([*times, *on(3, 4, 5)], NOON + 2 * DAY, NOON + 5 * DAY)


def test_it_waits_a_month_and_not_longer() -> None:
    times = on(0, 1, 2)
    assert ripe(times, None, times[-1] + WAITS)
    assert not ripe(times, None, times[-1] + WAITS + timedelta(seconds=1))
    assert not ripe(times, None, NOON + DAY), "what has not come up yet does not count"


# -- what may be promised --

ASKED = ("Should I have asked before advising?", "Why did I advise on the harbour without asking?")
SIGN = "Honoured when a question of mine stands before my first advice, broken when I advise without one."


@pytest.mark.parametrize(
    "text",
    [
        "Ask before giving advice",
        "Do not give advice unasked",
        "Never advise before asking",
        "Always ask first",
        "Bring a question before advice",
        "Ask 2 questions first",
    ],
)
def test_a_short_order_about_the_conduct_in_question_may_be_promised(text: str) -> None:
    assert unfit(text, SIGN, ASKED) is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Advise", "too few"),
        ("Ask before advice " + "and listen " * 6, "too many"),
        ("Shall we ask before advising?", "one plain sentence"),
        ("Ask before advising. Listen more", "one plain sentence"),
        ("I should ask before advising", "what to do: 'i'"),
        ("They prefer questions before advice", "what to do: 'they'"),
        ("Asking before advising", "what to do: 'asking'"),
        ("Asks before advising", "what to do: 'asks'"),
        ("Asked before advising", "what to do: 'asked'"),
        ("Remember that they dislike advice", "what to do: 'remember'"),
        ("Ask Anika before advising", "'Anika'"),
        ("Ask at 18:00 before advising", "'18:00'"),
        ("Ask about their sister before advising", "'sister'"),
        ("Ask how the exam went before advising", "'exam'"),
        ("Ask before giving any advice", "promised already"),
    ],
)
def test_anything_else_may_not(text: str, why: str) -> None:
    active = ("Ask before you give advice",) if why == "promised already" else ()
    reason = unfit(text, SIGN, ASKED, active, facts=("the exam", "the harbour"))
    assert reason is not None and why in reason


@pytest.mark.parametrize("sign", ["", "It shows", "so " * 41, "Broken when Anika is not mentioned by me"])
def test_what_nobody_could_see_may_not_be_promised(sign: str) -> None:
    assert unfit("Ask before giving advice", sign, ASKED) is not None


def test_a_word_of_the_question_itself_is_no_fact_that_slipped_in() -> None:
    assert unfit("Ask about the harbour before advising", SIGN, ASKED, facts=("the harbour",)) is None


def test_five_at_a_time_three_failures_ten_occasions() -> None:
    assert (patterns.MOST_ACTIVE, patterns.FAILURES, patterns.HONOURED) == (5, 3, 10)
    assert (3, timedelta(days=14)) == (OFTEN, WITHIN)
