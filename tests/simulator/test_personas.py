"""Personas: those that come along can be read, and what is wrong in one is told with its key and the fix."""

from __future__ import annotations

import random
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bench.simulator import personas
from bench.simulator.person import Person, Promise, due_at
from bench.simulator.personas import Due, from_mapping
from furoshiki.core.errors import BadSetting

MINIMAL = """
about = "Writes in the evening."
zone = "Europe/Lisbon"
[writes]
conversations_a_day = 1
hours = ["19:00-23:00"]
[[lines]]
says = ["Hello."]
"""

BEGINS = datetime(2026, 2, 1, tzinfo=UTC)


def persona(more: str = "") -> personas.Persona:
    found: dict[str, Any] = tomllib.loads(MINIMAL + more)
    return from_mapping("me", found)


@pytest.mark.parametrize("name", personas.shipped())
def test_each_that_comes_along_can_be_read_and_does_something(name: str) -> None:
    person = Person(personas.read(name), BEGINS, random.Random(1))
    assert sum(len(person.day(day)) for day in range(30)) > 10


WRONG = [
    ('zone = "Europe/Lisbon"', 'zone = "Lisbon"', "zone: there is no time zone 'Lisbon'"),
    ('hours = ["19:00-23:00"]', 'hours = ["evening"]', "writes.hours: 'evening' is no span of hours"),
    ('hours = ["19:00-23:00"]', 'hours = ["19:00-25:00"]', "writes.hours: 25:00 is not a time of day"),
    ("conversations_a_day = 1", "conversations = 1", "writes.conversations is not a setting"),
    ("conversations_a_day = 1", "conversations_a_day = -1", "writes.conversations_a_day must lie between"),
    (
        "conversations_a_day = 1",
        "conversations_a_day = 1\nmessages = [3, 1]",
        "writes.messages: write two whole numbers",
    ),
    ('[[lines]]\nsays = ["Hello."]', "", "lines is missing"),
    ('says = ["Hello."]', 'says = "Hello."', r"lines\[0\].says must be a list of texts"),
    ("[writes]", "[hears]\nanswers = 0.5\n[writes]", "hears.says is missing"),
    ("[writes]", "[hears]\nanswers = 0.7\nlater = 0.7\n[writes]", "hears: .* more than 1 together"),
    ("[writes]", "[reminded]\ndone = 0.7\nlater = 0.7\n[writes]", "reminded: .* more than 1 together"),
]


@pytest.mark.parametrize(("right", "wrong", "told"), WRONG)
def test_what_is_wrong_is_told_with_its_key(right: str, wrong: str, told: str) -> None:
    assert right in MINIMAL
    with pytest.raises(ValueError, match=told):
        from_mapping("me", tomllib.loads(MINIMAL.replace(right, wrong)))


def test_a_time_of_a_reminder_that_is_not_understood_is_told_with_examples() -> None:
    more = '[[requests]]\nsays = "Remind me"\nabout = "it"\ndue = "soon"\n'
    with pytest.raises(ValueError, match=r"requests\[0\].due: 'soon' is not understood; write it as 'in 20 minutes'"):
        persona(more)


def test_the_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "me.toml"
    path.write_text(MINIMAL.replace("about", "abot"), encoding="utf-8")
    with pytest.raises(BadSetting, match=rf"{path}: abot is not a setting; did you mean 'about'"):
        personas.read(str(path))


def test_an_unknown_name_is_told_with_those_there_are() -> None:
    with pytest.raises(BadSetting, match="there are busy, grieving"):
        personas.read("nobody")


def test_hours_over_midnight_are_hours_of_one_night() -> None:
    night = persona().writes.hours[0]
    over = personas.Span(datetime(2026, 1, 1, 22).time(), datetime(2026, 1, 1, 5, 30).time())
    assert (night.minutes, over.minutes) == (240, 450)


def test_people_write_in_their_hours_also_where_the_clocks_change() -> None:
    someone = persona()
    person = Person(someone, BEGINS, random.Random(3))
    acts = [act for day in range(90) for act in person.day(day)]
    local = [act.at.astimezone(ZoneInfo("Europe/Lisbon")) for act in acts]
    assert len(acts) > 50
    assert all(19 <= at.hour < 23 or (at.hour == 23 and at.minute < 10) for at in local)


def test_on_silent_days_nothing_is_said() -> None:
    found = tomllib.loads(MINIMAL.replace("conversations_a_day = 1", "conversations_a_day = 5\nsilent_days = [[2, 4]]"))
    person = Person(from_mapping("me", found), BEGINS, random.Random(3))
    assert [bool(person.day(day)) for day in range(6)] == [True, True, False, False, False, True]


LISBON = ZoneInfo("Europe/Lisbon")
SATURDAY = datetime(2026, 3, 28, 20, 0, tzinfo=UTC)
"""The evening before the clocks go forward in Europe."""


@pytest.mark.parametrize(
    ("day", "at", "expected"),
    [
        ("tomorrow", "09:00", datetime(2026, 3, 29, 8, 0, tzinfo=UTC)),
        ("friday", "18:00", datetime(2026, 4, 3, 17, 0, tzinfo=UTC)),
        ("saturday", "18:00", datetime(2026, 4, 4, 17, 0, tzinfo=UTC)),
        ("daily", "21:00", datetime(2026, 3, 28, 21, 0, tzinfo=UTC)),
        ("daily", "08:00", datetime(2026, 3, 29, 7, 0, tzinfo=UTC)),
    ],
)
def test_a_reminder_is_meant_by_the_clock_on_the_wall(day: str, at: str, expected: datetime) -> None:
    due = Due(None, day, datetime.strptime(at, "%H:%M").time())
    assert due_at(due, SATURDAY, LISBON) == expected


def test_one_of_every_day_keeps_its_time_over_the_change_of_the_clocks() -> None:
    first = Promise("it", datetime(2026, 3, 28, 8, 0, tzinfo=UTC), daily=True, zone="Europe/Lisbon")
    following = first.following()
    assert following is not None
    assert following.at - first.at == timedelta(hours=23)
    skipped = Promise("it", datetime(2026, 3, 28, 1, 30, tzinfo=UTC), daily=True, zone="Europe/Berlin")  # 02:30 there
    assert (late := skipped.following()) is not None and late.at == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
    assert (back := late.following()) is not None and back.at == datetime(2026, 3, 30, 0, 30, tzinfo=UTC)
    assert Promise("it", first.at).following() is None


def test_one_of_every_day_keeps_its_hour_where_somebody_moves() -> None:
    now = datetime(2026, 2, 13, 4, 0, tzinfo=UTC)
    nine = Promise("it", datetime(2026, 2, 13, 21, 0, tzinfo=UTC), daily=True, zone="Europe/Lisbon")
    assert nine.moved("Asia/Tokyo", now).at == datetime(2026, 2, 13, 12, 0, tzinfo=UTC)
    assert nine.moved("Asia/Tokyo", now.replace(hour=13)).at == datetime(2026, 2, 14, 12, 0, tzinfo=UTC)
    west = Promise("it", datetime(2026, 3, 3, 12, 0, tzinfo=UTC), daily=True, zone="Asia/Tokyo")
    evening_before = datetime(2026, 3, 3, 0, 0, tzinfo=UTC)  # 19:00 of the second in New York
    moved = west.moved("America/New_York", evening_before)
    assert moved.at == datetime(2026, 3, 4, 2, 0, tzinfo=UTC), "the second had its reminder in Tokyo"
    once = Promise("it", nine.at)
    assert once.moved("Asia/Tokyo", now) is once
