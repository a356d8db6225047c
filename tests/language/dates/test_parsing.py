"""When somebody means, on their own clock, across weeks, years and daylight saving."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.language.dates import parsing
from furoshiki.language.dates.habits import Habits
from furoshiki.language.dates.parsing import Unclear
from tests.support.laws import BERLIN, LISBON

TUESDAY = datetime(2026, 3, 3, 14, 5, tzinfo=BERLIN)

# said on Tuesday 3 March 2026 at 14:05 → when it is meant
MEANT = {
    "call mum on Sunday at six": "Sun 08 Mar 2026 18:00",
    "in 20 minutes": "Tue 03 Mar 2026 14:25",
    "in twenty minutes": "Tue 03 Mar 2026 14:25",
    "in half an hour": "Tue 03 Mar 2026 14:35",
    "in a quarter of an hour": "Tue 03 Mar 2026 14:20",
    "in an hour and a half": "Tue 03 Mar 2026 15:35",
    "in 1.5 hours": "Tue 03 Mar 2026 15:35",
    "in 2 hours and 10 minutes": "Tue 03 Mar 2026 16:15",
    "in 2h": "Tue 03 Mar 2026 16:05",
    "in 90 seconds": "Tue 03 Mar 2026 14:06",
    "2 hours from now": "Tue 03 Mar 2026 16:05",
    "in 3 days": "Fri 06 Mar 2026 14:05",
    "in a couple of days": "Thu 05 Mar 2026 14:05",
    "in a few days": "Fri 06 Mar 2026 14:05",
    "in 3 days at 9am": "Fri 06 Mar 2026 09:00",
    "at noon in two weeks": "Tue 17 Mar 2026 12:00",
    "in two weeks": "Tue 17 Mar 2026 14:05",
    "in 2 months": "Sun 03 May 2026 14:05",
    "in a year": "Wed 03 Mar 2027 14:05",
    "tomorrow": "Wed 04 Mar 2026 09:00",
    "tomorrow morning": "Wed 04 Mar 2026 09:00",
    "tomorrow at noon": "Wed 04 Mar 2026 12:00",
    "tomorrow evening at 8": "Wed 04 Mar 2026 20:00",
    "the day after tomorrow at 7": "Thu 05 Mar 2026 07:00",
    "today": "Tue 03 Mar 2026 15:05",
    "today at 5": "Tue 03 Mar 2026 17:00",
    "this evening": "Tue 03 Mar 2026 19:00",
    "tonight": "Tue 03 Mar 2026 21:00",
    "tonight at 8": "Tue 03 Mar 2026 20:00",
    "at 1 tonight": "Wed 04 Mar 2026 01:00",
    "at 9": "Tue 03 Mar 2026 21:00",
    "at 2": "Wed 04 Mar 2026 14:00",
    "at 3pm": "Tue 03 Mar 2026 15:00",
    "at 3 p.m.": "Tue 03 Mar 2026 15:00",
    "at 12am": "Wed 04 Mar 2026 00:00",
    "at 12 pm": "Wed 04 Mar 2026 12:00",
    "at 15:30": "Tue 03 Mar 2026 15:30",
    "at 07:30": "Wed 04 Mar 2026 07:30",
    "@ 7pm": "Tue 03 Mar 2026 19:00",
    "at six in the morning": "Wed 04 Mar 2026 06:00",
    "at 10 o'clock": "Tue 03 Mar 2026 22:00",
    "at six thirty": "Tue 03 Mar 2026 18:30",
    "half past six": "Tue 03 Mar 2026 18:30",
    "quarter to 8": "Tue 03 Mar 2026 19:45",
    "at ten past three": "Tue 03 Mar 2026 15:10",
    "at midnight": "Wed 04 Mar 2026 00:00",
    "at lunchtime": "Wed 04 Mar 2026 12:30",
    "in the evening": "Tue 03 Mar 2026 19:00",
    "friday": "Fri 06 Mar 2026 09:00",
    "on Fri at 10": "Fri 06 Mar 2026 10:00",
    "by friday": "Fri 06 Mar 2026 09:00",
    "friday at midnight": "Sat 07 Mar 2026 00:00",
    "tuesday at 3pm": "Tue 03 Mar 2026 15:00",
    "tuesday at 1pm": "Tue 10 Mar 2026 13:00",
    "next friday at noon": "Fri 13 Mar 2026 12:00",
    "friday next week": "Fri 13 Mar 2026 09:00",
    "sunday evening": "Sun 08 Mar 2026 19:00",
    "next week": "Mon 09 Mar 2026 09:00",
    "next month": "Wed 01 Apr 2026 09:00",
    "next year": "Fri 01 Jan 2027 09:00",
    "on the weekend": "Sat 07 Mar 2026 09:00",
    "next weekend": "Sat 14 Mar 2026 09:00",
    "at the end of the week": "Fri 06 Mar 2026 09:00",
    "at the end of the month": "Tue 31 Mar 2026 09:00",
    "at the end of the year": "Thu 31 Dec 2026 09:00",
    "on 5 May at 10": "Tue 05 May 2026 10:00",
    "May 5th": "Tue 05 May 2026 09:00",
    "on the 5th of May 2027": "Wed 05 May 2027 09:00",
    "on 2 March": "Tue 02 Mar 2027 09:00",
    "on 3 March": "Tue 03 Mar 2026 15:05",
    "the 15th": "Sun 15 Mar 2026 09:00",
    "on Friday 20 March": "Fri 20 Mar 2026 09:00",
    "on Friday, the 20th at six": "Fri 20 Mar 2026 18:00",
    "Friday, March 20th": "Fri 20 Mar 2026 09:00",
    "on the 2nd": "Thu 02 Apr 2026 09:00",
    "12.05.2026 at 9": "Tue 12 May 2026 09:00",
    "2026-05-12 at 16:00": "Tue 12 May 2026 16:00",
    "29 February": "Tue 29 Feb 2028 09:00",
}

REPEATED = {
    "every Monday at 9": ("Mon 09 Mar 2026 09:00", "FREQ=WEEKLY;BYDAY=MO"),
    "every tuesday at 15:00": ("Tue 03 Mar 2026 15:00", "FREQ=WEEKLY;BYDAY=TU"),
    "every tuesday at 14:00": ("Tue 10 Mar 2026 14:00", "FREQ=WEEKLY;BYDAY=TU"),
    "every Monday and Thursday at 6pm": ("Thu 05 Mar 2026 18:00", "FREQ=WEEKLY;BYDAY=MO,TH"),
    "on Mondays and Thursdays at 6pm": ("Thu 05 Mar 2026 18:00", "FREQ=WEEKLY;BYDAY=MO,TH"),
    "every sunday morning": ("Sun 08 Mar 2026 09:00", "FREQ=WEEKLY;BYDAY=SU"),
    "every other tuesday at 10": ("Tue 10 Mar 2026 10:00", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"),
    "every weekday at 7:30": ("Wed 04 Mar 2026 07:30", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
    "on weekdays at 8": ("Wed 04 Mar 2026 08:00", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
    "every weekend": ("Sat 07 Mar 2026 09:00", "FREQ=WEEKLY;BYDAY=SA,SU"),
    "every day at 8am": ("Wed 04 Mar 2026 08:00", "FREQ=DAILY"),
    "daily at 20:00": ("Tue 03 Mar 2026 20:00", "FREQ=DAILY"),
    "every evening": ("Tue 03 Mar 2026 19:00", "FREQ=DAILY"),
    "every night at 10": ("Tue 03 Mar 2026 22:00", "FREQ=DAILY"),
    "every 3 days": ("Wed 04 Mar 2026 09:00", "FREQ=DAILY;INTERVAL=3"),
    "weekly on friday at 5pm": ("Fri 06 Mar 2026 17:00", "FREQ=WEEKLY;BYDAY=FR"),
    "every two weeks on friday": ("Fri 06 Mar 2026 09:00", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"),
    "fortnightly": ("Wed 04 Mar 2026 09:00", "FREQ=WEEKLY;INTERVAL=2"),
    "every month on the 1st": ("Wed 01 Apr 2026 09:00", "FREQ=MONTHLY;BYMONTHDAY=1"),
    "every 15th": ("Sun 15 Mar 2026 09:00", "FREQ=MONTHLY;BYMONTHDAY=15"),
    "every year on 3 May": ("Sun 03 May 2026 09:00", "FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=3"),
    "every May 3rd at noon": ("Sun 03 May 2026 12:00", "FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=3"),
    "every 2 hours": ("Tue 03 Mar 2026 16:05", "FREQ=HOURLY;INTERVAL=2"),
    "hourly": ("Tue 03 Mar 2026 15:05", "FREQ=HOURLY"),
    "every 30 minutes": ("Tue 03 Mar 2026 14:35", "FREQ=MINUTELY;INTERVAL=30"),
}

NOT_SAID = ["hello there", "I have 3 cats", "at 5 euros each", "every 0 days", "", "the 3rd time", "on 45.99.2026"]


def shown(at: datetime) -> str:
    return at.strftime("%a %d %b %Y %H:%M")


@pytest.mark.parametrize("text", MEANT)
def test_a_moment(text: str) -> None:
    found = parsing.read(text, TUESDAY)
    assert found is not None
    assert shown(found.at) == MEANT[text]
    assert found.rule is None
    assert not found.past
    assert 0 <= found.start < found.end <= len(text)


@pytest.mark.parametrize("text", REPEATED)
def test_a_repetition(text: str) -> None:
    found = parsing.read(text, TUESDAY)
    assert found is not None
    assert (shown(found.at), found.rule) == REPEATED[text]
    assert (found.start, found.end) == (0, len(text))


@pytest.mark.parametrize("text", NOT_SAID)
def test_nothing_was_said_about_time(text: str) -> None:
    assert parsing.read(text, TUESDAY) is None


@pytest.mark.parametrize("text", ["yesterday at 5", "on 2020-01-01", "last friday", "on 3 March 2025", "today at 8am"])
def test_what_is_past_is_said_to_be(text: str) -> None:
    found = parsing.read(text, TUESDAY)
    assert found is not None
    assert found.past


def test_a_day_without_a_time_is_our_guess_of_nine() -> None:
    found = parsing.read("on friday", TUESDAY)
    assert found is not None
    assert not found.timed
    assert parsing.read("on friday at 9am", TUESDAY).timed  # type: ignore[union-attr]


def test_late_at_night_a_bare_hour_is_tomorrow_morning() -> None:
    late = TUESDAY.replace(hour=22)
    assert shown(parsing.read("at 9", late).at) == "Wed 04 Mar 2026 09:00"  # type: ignore[union-attr]
    assert shown(parsing.read("at six", late).at) == "Wed 04 Mar 2026 18:00"  # type: ignore[union-attr]


def test_a_wall_clock_time_keeps_its_hour_across_a_clock_change() -> None:
    saturday = datetime(2026, 3, 28, 20, 0, tzinfo=BERLIN)
    found = parsing.read("tomorrow at 9am", saturday)
    assert found is not None
    assert shown(found.at) == "Sun 29 Mar 2026 09:00"
    assert found.at.astimezone(UTC).hour == 7
    assert found.at - saturday.astimezone(UTC) == timedelta(hours=12)


def test_hours_are_real_hours_across_a_clock_change() -> None:
    saturday = datetime(2026, 3, 29, 1, 30, tzinfo=BERLIN)
    found = parsing.read("in 2 hours", saturday)
    assert found is not None
    assert shown(found.at) == "Sun 29 Mar 2026 04:30"


def test_a_time_that_spring_skips_moves_on() -> None:
    saturday = datetime(2026, 3, 28, 20, 0, tzinfo=BERLIN)
    found = parsing.read("tomorrow at 2:30am", saturday)
    assert found is not None
    assert shown(found.at) == "Sun 29 Mar 2026 03:30"


def test_of_a_time_that_autumn_repeats_the_first_is_meant() -> None:
    saturday = datetime(2026, 10, 24, 20, 0, tzinfo=LISBON)
    found = parsing.read("tomorrow at 1:30am", saturday)
    assert found is not None
    assert found.at.astimezone(UTC) == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


def test_a_month_too_short_gives_its_last_day() -> None:
    found = parsing.read("in a month", datetime(2026, 1, 31, 12, 0, tzinfo=LISBON))
    assert found is not None
    assert shown(found.at) == "Sat 28 Feb 2026 12:00"


def test_next_weekend_said_on_a_saturday() -> None:
    saturday = datetime(2026, 3, 7, 8, 0, tzinfo=LISBON)
    assert shown(parsing.read("this weekend", saturday).at) == "Sat 07 Mar 2026 09:00"  # type: ignore[union-attr]
    assert shown(parsing.read("next weekend", saturday).at) == "Sat 14 Mar 2026 09:00"  # type: ignore[union-attr]


def test_a_naive_now_is_refused() -> None:
    with pytest.raises(ValueError, match="aware"):
        parsing.read("tomorrow", datetime(2026, 3, 3))


ZONES = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia", "America/St_Johns"]


@pytest.mark.slow
@given(
    st.sampled_from([*MEANT, *REPEATED]),
    st.datetimes(datetime(2020, 1, 1), datetime(2034, 12, 31)),
    st.sampled_from(ZONES),
)
def test_what_is_meant_lies_ahead_whenever_and_wherever_it_is_said(text: str, naive: datetime, zone: str) -> None:
    now = naive.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC).astimezone(ZoneInfo(zone))
    found = parsing.read(text, now)
    if found is None:  # "on Friday 20 March" in a year in which that is a Saturday, "the weekend" on its last day
        assert isinstance(parsing.parse_when(text, now), Unclear)
        return
    assert found.at.tzinfo is now.tzinfo
    assert found.past == (found.at.astimezone(UTC) <= now.astimezone(UTC))


@given(st.text(max_size=120), st.sampled_from(ZONES))
def test_any_text_can_be_read(text: str, zone: str) -> None:
    found = parsing.read(text, TUESDAY.astimezone(ZoneInfo(zone)))
    assert found is None or 0 <= found.start < found.end <= len(text)


@pytest.mark.parametrize(
    ("said", "monday"),
    [("mon anniversaire", False), ("appeler mon père", False), ("mon 9am dentist", True), ("lun à 9h", True)],
)
def test_a_french_my_is_no_monday(said: str, monday: bool) -> None:
    found = parsing.parse_when(said, datetime(2026, 3, 24, 15, tzinfo=UTC), Habits(("fr", "en"), "DMY"))
    assert isinstance(found, parsing.When) == monday
