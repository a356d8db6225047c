"""Quiet hours said in words: a table over nine languages, with lines that only look like it."""

from __future__ import annotations

from pathlib import Path

import pytest

from furoshiki.language.dates.habits import Habits
from furoshiki.owner.agenda.rules.quiet.asked import Hours
from furoshiki.owner.agenda.rules.quiet.daily import read_daily

TABLE = Path(__file__).with_name("daily.tsv")
LINES = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def written(hours: Hours) -> str:
    return "-".join(f"{one:%H:%M}" if one else "" for one in (hours.since, hours.until))


@pytest.mark.parametrize(("hours", "said"), LINES)
def test_hours_of_every_day_are_read_as_they_are_meant(hours: str, said: str) -> None:
    wish = read_daily(said, Habits())
    assert (",".join(map(written, wish.ways)) if wish else "-") == hours
