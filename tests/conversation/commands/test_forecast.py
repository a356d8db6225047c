"""What a month may come to, from what the last whole days have cost."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from furoshiki.conversation.commands.cost import forecast_month

TODAY = date(2026, 3, 24)


def days(*usd: float) -> dict[date, float]:
    """What the days before today have cost, yesterday first; a cost of 0 leaves no row."""
    return {TODAY - timedelta(days=back): one for back, one in enumerate(usd, 1) if one}


@pytest.mark.parametrize(
    ("spent", "today", "before", "left", "hard", "comes_to"),
    [
        (10.0, 0.5, days(1, 1, 1, 1, 1, 1, 1), 7, 0.0, 17.5),  # today becomes a day like the others
        (10.0, 3.0, days(1, 1, 1, 1, 1, 1, 1), 7, 0.0, 17.0),  # what was spent today is spent
        (0.9, 0.1, days(0.8), 10, 0.0, 9.6),  # one day is all there is
        (7.0, 0.0, days(0, 0, 0, 0, 0, 0, 7), 0, 0.0, 8.0),  # days without a call cost nothing
        (10.0, 0.0, days(5, 5, 5, 5, 5, 5, 5), 4, 1.0, 15.0),  # the hard limit holds
        (9.0, 0.0, days(*[0] * 9, 9), 4, 0.0, None),  # too long ago to say anything
        (1.0, 1.0, {}, 7, 0.0, None),
        (1.0, 1.0, {TODAY: 1.0}, 7, 0.0, None),
    ],
)
def test_it_is_what_was_spent_and_days_as_they_were(
    spent: float, today: float, before: dict[date, float], left: int, hard: float, comes_to: float | None
) -> None:
    found = forecast_month(spent, today, before, TODAY, left, hard)
    assert found is None if comes_to is None else found == pytest.approx(comes_to)
