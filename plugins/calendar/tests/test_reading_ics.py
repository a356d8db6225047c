"""What is read of iCalendar text. For these the packages of requirements.txt have to be importable."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

pytest.importorskip("recurring_ical_events", reason="the packages of the plugin are not installed here")
import caldav
import reading_ics

SAMPLES = Path(__file__).resolve().parent / "samples"
LISBON = ZoneInfo("Europe/Lisbon")
MONDAY = datetime(2026, 11, 23, tzinfo=LISBON)


def test_repeats_exceptions_zones_and_whole_days_are_understood() -> None:
    text = (SAMPLES / "week.ics").read_text()
    found = reading_ics.appointments([text], MONDAY, MONDAY + timedelta(days=2), LISBON)
    assert [(f"{one.begins:%d %H:%M}", f"{one.ends:%d %H:%M}", one.title) for one in found if not one.all_day] == [
        ("23 09:30", "23 10:00", "Dentist"),
        ("23 16:00", "23 16:00", "Two lines and"),
        ("23 19:30", "23 20:30", "Choir (later today)"),
        ("24 08:00", "24 08:30", "Stretch wherever I am"),
        ("24 10:00", "24 11:00", "In a zone of its own"),
    ]
    assert {(one.title, f"{one.begins:%d}", f"{one.ends:%d}") for one in found if one.all_day} == {
        ("Ann's birthday", "24", "25"),
        ("Trip", "22", "24"),
    }
    assert next(one.place for one in found if one.title == "Dentist") == "Rua Augusta 1, Lisboa"


def test_one_of_a_series_keeps_its_name_when_it_is_moved() -> None:
    text = (SAMPLES / "week.ics").read_text()
    series = text.replace("203000", "190000").replace("213000", "210000").replace("Choir (later today)", "Choir")
    (moved,), (before,) = (
        [
            one
            for one in reading_ics.appointments([each], MONDAY, MONDAY + timedelta(days=1), LISBON)
            if "Choir" in one.title
        ]
        for each in (text, series)
    )
    assert moved.id == before.id and moved.begins != before.begins
    week = reading_ics.appointments([text], MONDAY, MONDAY + timedelta(days=16), LISBON)
    names = [one.id for one in week if one.title.startswith("Choir")]
    assert len(names) == len(set(names)) == 5


def test_a_single_one_that_is_moved_keeps_its_name_too() -> None:
    text = (SAMPLES / "week.ics").read_text()
    later = text.replace("20261123T093000", "20261123T113000").replace("20261123T100000", "20261123T120000")
    first, second = (
        next(
            one
            for one in reading_ics.appointments([each], MONDAY, MONDAY + timedelta(days=1), LISBON)
            if "Dent" in one.title
        )
        for each in (text, later)
    )
    assert first.id == second.id and first.begins != second.begins


def test_calendars_of_a_caldav_server_are_put_together() -> None:
    texts = caldav.calendars((SAMPLES / "multistatus.xml").read_bytes())
    found = reading_ics.appointments(texts, MONDAY, MONDAY + timedelta(days=1), LISBON)
    assert [one.title for one in found] == ["Dentist", "Choir"]


@pytest.mark.parametrize("text", ["", "<html>Log in</html>", "BEGIN:VCALENDAR\nBEGIN:VEVENT\n"])
def test_what_is_no_calendar_is_said_so(text: str) -> None:
    with pytest.raises(ValueError, match="URL"):
        reading_ics.appointments([text], MONDAY, MONDAY + timedelta(days=1), LISBON)
