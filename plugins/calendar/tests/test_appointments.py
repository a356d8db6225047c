"""What is said of appointments, and when they come to mind."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import appointments
import caldav
import pytest
from appointments import Appointment

LISBON = ZoneInfo("Europe/Lisbon")
MONDAY = datetime(2026, 11, 23, 8, 0, tzinfo=LISBON)
HALF_AN_HOUR, TEN_MINUTES = timedelta(minutes=30), timedelta(minutes=10)


def one(title: str, begins: str, ends: str, place: str = "", *, all_day: bool = False) -> Appointment:
    first, last = (datetime.fromisoformat(at).replace(tzinfo=LISBON) for at in (begins, ends))
    return Appointment(title.lower(), title, place, first, last, all_day)


THEIRS = [
    one("Dentist", "2026-11-23T09:30", "2026-11-23T10:00", "Rua Augusta 1"),
    one("Ann's birthday", "2026-11-23", "2026-11-24", all_day=True),
    one("Run", "2026-11-23T06:30", "2026-11-23T07:10"),
    one("Night train", "2026-11-23T22:15", "2026-11-24T07:40"),
    one("Call", "2026-11-24T12:00", "2026-11-24T12:00"),
    one("Later", "2026-11-25T12:00", "2026-11-25T13:00"),
]


def test_today_and_tomorrow_are_told() -> None:
    golden = Path(__file__).resolve().parent / "samples" / "told.txt"
    assert appointments.told(THEIRS, MONDAY) == golden.read_text().rstrip("\n")
    assert appointments.told([], MONDAY).endswith("Tomorrow, Tuesday 24 November: nothing.")


def test_of_a_full_day_the_first_are_told_and_the_others_counted() -> None:
    many = [one(f"Call {n}", f"2026-11-23T{n:02}:00", f"2026-11-23T{n:02}:30") for n in range(8, 24)]
    today = appointments.told(many, MONDAY).splitlines()[0]
    assert "Call 19" in today and "Call 20" not in today and today.endswith("; and 4 more.")


def test_what_was_kept_is_what_is_read() -> None:
    read = appointments.read(appointments.kept(THEIRS))
    assert [appointments.localized(each, LISBON) for each in read] == THEIRS
    (whole,) = (appointments.localized(each, ZoneInfo("America/Lima")) for each in read if each.all_day)
    assert f"{whole.begins:%m-%d %H:%M}" == "11-23 00:00", "a whole day is that day wherever its owner goes"


def test_an_appointment_comes_to_mind_once_before_it_begins() -> None:
    def due(now: datetime, announced: dict[str, str] | None = None) -> list[appointments.Reminder]:
        return appointments.reminders(THEIRS, announced or {}, now, HALF_AN_HOUR, TEN_MINUTES)

    assert due(MONDAY) == [], "an hour and a half is too early"
    (reminder,) = due(MONDAY.replace(minute=52))
    assert reminder.summary == '"Dentist" begins at 09:30' and reminder.detail == "Rua Augusta 1"
    assert reminder.not_before == MONDAY.replace(hour=9) and reminder.until == MONDAY.replace(hour=9, minute=30)
    known = appointments.announced_then({}, [reminder], MONDAY)
    assert due(MONDAY.replace(hour=9, minute=2), known) == []
    assert due(MONDAY.replace(hour=9, minute=31)) == [], "it has begun"
    assert appointments.announced_then(known, [], MONDAY + timedelta(days=9)) == {}


def test_what_was_moved_comes_to_mind_again() -> None:
    before = {"dentist": THEIRS[0].begins.isoformat()}
    moved = [one("Dentist", "2026-11-23T11:00", "2026-11-23T11:30")]
    (reminder,) = appointments.reminders(moved, before, MONDAY.replace(hour=10, minute=35), HALF_AN_HOUR, TEN_MINUTES)
    assert reminder.summary == '"Dentist" begins at 11:00 (it was moved)'
    first = appointments.reminders(THEIRS, {}, MONDAY.replace(hour=9), HALF_AN_HOUR, TEN_MINUTES)
    assert first[0].key != reminder.key and len(reminder.key) <= 100


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Dinner @Anna's", '"Dinner at Anna\'s" begins at 09:00'),
        ("Dinner @@Anna", '"Dinner at Anna" begins at 09:00'),
        ("Call WWW.meet.example/x", '"Call" begins at 09:00'),
        ("Call https://meet.example/x", '"Call" begins at 09:00'),
        ("https://meet.example/x", '"an appointment" begins at 09:00'),
    ],
)
def test_no_link_is_said_unasked(title: str, said: str) -> None:
    theirs = [one(title, "2026-11-23T09:00", "2026-11-23T10:00")]
    (reminder,) = appointments.reminders(theirs, {}, MONDAY.replace(minute=40), HALF_AN_HOUR, TEN_MINUTES)
    assert reminder.summary == said


def test_a_caldav_server_is_asked_for_the_days_and_its_calendars_are_taken_out() -> None:
    asked = caldav.query(MONDAY, MONDAY + timedelta(days=1))
    assert 'start="20261123T080000Z" end="20261124T080000Z"' in asked
    answer = (Path(__file__).resolve().parent / "samples" / "multistatus.xml").read_bytes()
    first, second = caldav.calendars(answer)
    assert first.startswith("BEGIN:VCALENDAR") and "SUMMARY:Choir" in second
    for wrong in (b"<html><body>Log in</body></html>", b"BEGIN:VCALENDAR", b""):
        with pytest.raises(ValueError, match="no answer of a CalDAV server.*address of one calendar"):
            caldav.calendars(wrong)
