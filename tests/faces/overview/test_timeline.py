"""Blocks of a timeline: where they lie, and that a crowd of them stays small."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from furoshiki.app.scheduler.store.runs import Run
from furoshiki.faces.overview.jobs import rows, ticks

START = datetime(2026, 3, 24, tzinfo=UTC)
END = START + timedelta(days=1)


def run(name: str, hour: float, well: bool | None = True, minutes: float = 1) -> Run:
    begun = START + timedelta(hours=hour)
    ended, code = (None, None) if well is None else (begun + timedelta(minutes=minutes), 0 if well else 1)
    return Run(1, name, begun, ended, code, None, None, True, None, None)


def test_rows_stand_in_the_order_of_the_jobs_with_their_failures() -> None:
    found = rows([run("b", 6), run("a", 12, well=False), run("b", 23, well=None)], ["a", "b"], START, END)
    assert [(row.name, row.runs, row.failures) for row in found] == [("a", 1, 1), ("b", 2, 0)]
    assert found[0].failed == "M500 0h3v12h-3z" and not found[0].well
    assert found[1].well == "M250 0h3v12h-3zM958 0h42v12h-42z"


def test_a_crowd_is_drawn_no_larger_than_the_picture() -> None:
    [row] = rows([run("a", number / 100) for number in range(2400)], [], START, END)
    assert row.runs == 2400 and row.well.count("M") <= 1000


def test_a_run_of_a_clock_that_was_ahead_lies_at_the_edge() -> None:
    [row] = rows([run("a", 30)], ["a"], START, END)
    assert row.well == "M997 0h3v12h-3z"


def test_ticks_are_whole_hours_of_the_owners_clock_when_clocks_change_too() -> None:
    spring = datetime(2026, 3, 28, 22, tzinfo=UTC)
    found = ticks(spring, spring + timedelta(days=1), ZoneInfo("Europe/Lisbon"))
    assert [tick.label for tick in found] == ["00:00", "04:00", "08:00", "12:00", "16:00", "20:00"]
    assert all(0 <= tick.at <= 100 for tick in found)
