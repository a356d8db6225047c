"""Blocks of a timeline: where they lie, and that a crowd of them stays small."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from furoshiki.faces.overview.jobs import Block, rows, ticks

START = datetime(2026, 3, 24, tzinfo=UTC)
END = START + timedelta(days=1)


def block(name: str, hour: float, well: bool | None = True, minutes: float = 1) -> Block:
    begun = START + timedelta(hours=hour)
    return Block(name, begun, None if well is None else begun + timedelta(minutes=minutes), well)


def test_rows_stand_in_the_order_of_the_jobs_with_their_failures() -> None:
    found = rows([block("b", 6), block("a", 12, well=False), block("b", 23, well=None)], ["a", "b"], START, END)
    assert [(row.name, row.runs, row.failures) for row in found] == [("a", 1, 1), ("b", 2, 0)]
    assert found[0].failed == "M500 0h3v12h-3z" and not found[0].well
    assert found[1].well == "M250 0h3v12h-3zM958 0h42v12h-42z"


def test_a_crowd_is_drawn_no_larger_than_the_picture() -> None:
    [row] = rows([block("a", number / 100) for number in range(2400)], [], START, END)
    assert row.runs == 2400 and row.well.count("M") <= 1000


def test_a_run_of_a_clock_that_was_ahead_lies_at_the_edge() -> None:
    [row] = rows([block("a", 30)], ["a"], START, END)
    assert row.well == "M997 0h3v12h-3z"


def test_ticks_are_whole_hours_of_the_owners_clock_when_clocks_change_too() -> None:
    spring = datetime(2026, 3, 28, 22, tzinfo=UTC)
    found = ticks(spring, spring + timedelta(days=1), ZoneInfo("Europe/Lisbon"))
    assert [tick.label for tick in found] == ["00:00", "04:00", "08:00", "12:00", "16:00", "20:00"]
    assert all(0 <= tick.at <= 100 for tick in found)
