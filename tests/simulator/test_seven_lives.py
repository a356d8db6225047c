"""The seven personas live through the days in which the clocks change in Europe, and every promise is kept.

A week each is what the night can afford (2 s of CPU a day), and four days what each run can; `make lives` lives 90 days
with each of them.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bench.simulator import personas
from bench.simulator.simulate import Wanted, simulate
from tests.support.extent import times

pytestmark = pytest.mark.slow

EACH_TIME = {"grieving"}
"""Lives that are lived with every run of the tests, not only at night."""

DAYS = {"traveller": 14}
"""The first journey is on the thirteenth day."""


@pytest.mark.parametrize(
    "name", [one if one in EACH_TIME else pytest.param(one, marks=pytest.mark.nightly) for one in personas.shipped()]
)
def test_every_promise_is_kept(name: str) -> None:
    days = DAYS.get(name, times(7, 4))
    begins = datetime(2026, 3, 31, tzinfo=UTC) - timedelta(days=days)
    lived = simulate(Wanted(personas.read(name), days, seed=7, begins=begins, keep_going=True))
    assert [one.as_text() for one in lived.story.violations] == []
    assert len(lived.story.said) > 3
