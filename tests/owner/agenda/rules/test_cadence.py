"""How often something to do is brought up by itself."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.owner.agenda.rules import cadence
from furoshiki.owner.agenda.rules.cadence import EVERY
from tests.support.laws import NOON

SECOND = timedelta(seconds=1)


def wants(now: datetime, priority: int = 3, list_id: str = "user_work", *, nudged: timedelta | None = None) -> bool:
    """Whether one that was noted at noon, and brought up so long after it, wants a nudge."""
    return cadence.wants_nudge(list_id, priority, NOON, None if nudged is None else NOON + nudged, now)


@pytest.mark.parametrize(("priority", "days"), [(1, 1), (2, 3), (3, 7)])
def test_it_comes_for_the_first_time_when_its_while_is_over_since_it_was_noted(priority: int, days: int) -> None:
    over = NOON + timedelta(days=days)
    assert not wants(over - SECOND, priority)
    assert wants(over, priority)


@pytest.mark.parametrize(("priority", "days"), [(1, 1), (2, 3), (3, 7)])
def test_it_comes_again_so_long_after_the_last_time(priority: int, days: int) -> None:
    last, every = timedelta(days=20), timedelta(days=days)
    assert not wants(NOON + last + every - SECOND, priority, nudged=last)
    assert wants(NOON + last + every, priority, nudged=last)


@pytest.mark.parametrize("priority", [4, 5])
def test_what_can_wait_is_never_brought_up(priority: int) -> None:
    assert not wants(NOON + timedelta(days=3650), priority)


def test_the_questions_that_wait_for_an_answer_have_a_way_of_their_own() -> None:
    assert not any(wants(NOON + timedelta(days=30), one, "reply_queue") for one in EVERY)


def test_of_a_shopping_list_only_what_is_urgent_is_brought_up() -> None:
    month = NOON + timedelta(days=30)
    assert [wants(month, one, "shopping") for one in (1, 2, 3)] == [True, True, False]


@given(st.integers(1, 5), st.integers(0, 10**7), st.integers(0, 10**7))
def test_a_more_urgent_one_never_waits_longer(priority: int, nudged: int, gone: int) -> None:
    now = NOON + timedelta(seconds=nudged + gone)
    wanted = [wants(now, one, nudged=timedelta(seconds=nudged)) for one in range(1, priority + 1)]
    assert wanted == sorted(wanted, reverse=True)
