"""Until when something repeats, from when, how often; and whose clocks a time is told by.

Seen from Tuesday 24 March 2026, 15:00 in Lisbon, where summer time begins on Sunday.
"""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from furoshiki.language.dates import parsing, recurrence
from furoshiki.language.dates.habits import Habits
from furoshiki.language.dates.parsing import Unclear, When

LISBON = ZoneInfo("Europe/Lisbon")
NOW = datetime(2026, 3, 24, 15, tzinfo=LISBON)


def told(text: str, tongue: str = "en") -> str:
    """The first time and the rule; the question where there is one."""
    found = parsing.parse_when(text, NOW, Habits((tongue, "en") if tongue != "en" else ("en",), "DMY"))
    if isinstance(found, Unclear):
        return "asks"
    return "" if found is None else f"{found.at:%m-%d %H:%M} {(found.rule or '').removeprefix('FREQ=')}".strip()


BOUND = {
    ("en", "every day at 9 until June"): "03-25 09:00 DAILY;UNTIL=20260531",
    ("en", "every day at 9 through June"): "03-25 09:00 DAILY;UNTIL=20260630",
    ("en", "every day at 9 until the end of June"): "03-25 09:00 DAILY;UNTIL=20260630",
    ("en", "every day at 9 until 30 June 2027"): "03-25 09:00 DAILY;UNTIL=20270630",
    ("en", "every day at 9 until 2028"): "03-25 09:00 DAILY;UNTIL=20271231",
    ("en", "every day at 9 until next month"): "03-25 09:00 DAILY;UNTIL=20260331",
    ("en", "every day until Friday at 9"): "03-25 09:00 DAILY;UNTIL=20260327",
    ("en", "every Monday at 9 until Friday"): "asks",
    ("en", "every day at 9 until further notice"): "asks",
    ("en", "every day at 9 until 6pm"): "asks",
    ("en", "every 20 minutes until 6pm"): "03-24 15:20 MINUTELY;INTERVAL=20;UNTIL=20260324T180000",
    ("en", "every hour for three hours"): "03-24 16:00 HOURLY;UNTIL=20260324T190000",
    ("en", "every hour until Friday"): "03-24 16:00 HOURLY;UNTIL=20260327",
    ("en", "every Tuesday at 10 three times"): "03-31 10:00 WEEKLY;BYDAY=TU;COUNT=3",
    ("en", "every Tuesday at 10, only twice"): "03-31 10:00 WEEKLY;BYDAY=TU;COUNT=2",
    ("en", "three times a day"): "asks",
    ("en", "every day at 9 for a week"): "03-25 09:00 DAILY;UNTIL=20260331",
    ("en", "every week for the next two months"): "03-25 09:00 WEEKLY;UNTIL=20260524",
    ("en", "every day at 9 starting tomorrow"): "03-25 09:00 DAILY",
    ("en", "every day at 9 starting Monday"): "03-30 09:00 DAILY",
    ("en", "every day at 9 from 1 April until 3 April"): "04-01 09:00 DAILY;UNTIL=20260403",
    ("en", "from 9 to 5"): "asks",
    ("en", "tomorrow at 9"): "03-25 09:00",
    ("de", "jeden Tag um 9 ab Montag"): "03-30 09:00 DAILY",
    ("de", "jeden Tag um 9 bis Juni"): "03-25 09:00 DAILY;UNTIL=20260531",
    ("de", "jeden Tag um 9 bis einschließlich Juni"): "03-25 09:00 DAILY;UNTIL=20260630",
    ("de", "jeden Tag um 9 zwei Wochen lang"): "03-25 09:00 DAILY;UNTIL=20260407",
    ("de", "jeden Montag um 9, insgesamt 5 Mal"): "03-30 09:00 WEEKLY;BYDAY=MO;COUNT=5",
    ("de", "dreimal am Tag"): "",
    ("es", "cada día a las 9 durante dos semanas"): "03-25 09:00 DAILY;UNTIL=20260407",
    ("es", "cada día a las 9 a partir del lunes"): "03-30 09:00 DAILY",
    ("es", "tres veces al día"): "asks",
    ("tr", "her gün saat 9'da iki hafta boyunca"): "03-25 09:00 DAILY;UNTIL=20260407",
    ("tr", "her gün saat 9'da nisan sonuna kadar"): "03-25 09:00 DAILY;UNTIL=20260430",
    ("tr", "her pazartesi saat 9'da üç kez"): "03-30 09:00 WEEKLY;BYDAY=MO;COUNT=3",
    ("ru", "каждый день в 9 в течение двух недель"): "03-25 09:00 DAILY;UNTIL=20260407",
    ("ru", "каждый день в 9 до июня"): "03-25 09:00 DAILY;UNTIL=20260531",
    ("ru", "каждый понедельник в 9 только 5 раз"): "03-30 09:00 WEEKLY;BYDAY=MO;COUNT=5",
}


@pytest.mark.parametrize(("tongue", "text"), BOUND)
def test_a_repetition_ends_when_they_said(tongue: str, text: str) -> None:
    assert told(text, tongue) == BOUND[tongue, text]


ELSEWHERE = {
    "at 9am New York time": "2026-03-25T13:00 America/New_York",
    "on Monday at 9am New York time": "2026-03-30T14:00 America/New_York",
    "today at 11am New York time": "2026-03-24T15:00 past",
    "today at noon New York time": "2026-03-24T16:00 America/New_York",
    "tomorrow at 8pm Tokyo time": "2026-03-25T11:00 Asia/Tokyo",
    "tomorrow at 18:00 UTC": "2026-03-25T18:00 UTC",
    "on Monday at 18:00 UTC": "2026-03-30T19:00 UTC",
    "tomorrow at 15:00 CET": "2026-03-25T14:00 Europe/Paris",
    "tomorrow at 9am in the Eastern time": "2026-03-25T13:00 America/New_York",
    "tomorrow at 9am my time": "2026-03-25T09:00",
    "tomorrow at 9am Springfield time": "asks",
    "tomorrow at 9am CST": "asks",
    "tomorrow at 9am their time": "asks",
    "mañana a las 9 hora de Nueva York": "2026-03-25T13:00 America/New_York",
    "morgen um 9 Uhr New Yorker Zeit": "2026-03-25T13:00 America/New_York",
}


@pytest.mark.parametrize("text", ELSEWHERE)
def test_a_time_is_that_of_the_clocks_that_were_named(text: str) -> None:
    found = parsing.parse_when(text, NOW, Habits(("en", "de", "es")))
    if not isinstance(found, When):
        assert ELSEWHERE[text] == "asks"
        return
    said = "past" if found.past else found.zone or ""
    assert f"{found.at:%Y-%m-%dT%H:%M} {said}".strip() == ELSEWHERE[text]


def test_what_says_when_is_taken_out_of_the_words_and_nothing_else() -> None:
    text = "every Monday at 9am New York time to submit my hours until the end of April"
    found = parsing.parse_when(text, NOW)
    assert isinstance(found, When)
    assert " ".join(parsing.without(text, found.spans).split()) == "to submit my hours"
    assert (found.rule, found.zone) == ("FREQ=WEEKLY;BYDAY=MO;UNTIL=20260430", "America/New_York")


def test_a_rhythm_by_other_clocks_keeps_to_them() -> None:
    found = parsing.parse_when("every day at 9am New York time", datetime(2026, 10, 24, 15, tzinfo=LISBON))
    assert isinstance(found, When) and found.rule is not None and found.zone is not None
    rung, zone = [found.at], ZoneInfo(found.zone)
    for _ in range(9):
        following = recurrence.find_next(found.rule, found.at, rung[-1], zone)
        assert following is not None
        rung.append(following)
    assert {at.astimezone(zone).strftime("%H:%M") for at in rung} == {"09:00"}
    # between Lisbon's change (25 October) and New York's (1 November) it is an hour earlier at home than afterwards
    assert [at.astimezone(LISBON).hour for at in rung] == [13] * 7 + [14] * 3


def test_counted_and_ended_repetitions_come_to_their_end() -> None:
    for text, times in (("every day at 9, three times", 3), ("every day at 9 until Friday", 3)):
        found = parsing.parse_when(text, NOW)
        assert isinstance(found, When) and found.rule is not None
        count, at = 1, found.at
        while (following := recurrence.find_next(found.rule, found.at, at, LISBON)) is not None:
            count, at = count + 1, following
        assert count == times
