"""Which days a question about the past means."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.language.dates.past.asked_dates import closeness, windows

NOW = datetime(2026, 3, 14, 9, 26, tzinfo=UTC)  # a Saturday


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("What did I do on 5 May 2023?", "2023-05-05", "2023-05-06"),
        ("what happened on May 5th, 2023", "2023-05-05", "2023-05-06"),
        ("what happened on the 2nd of February", "2026-02-02", "2026-02-03"),
        ("what did we say on 2025-12-24", "2025-12-24", "2025-12-25"),
        ("where was I in 2025-12?", "2025-12-01", "2026-01-01"),
        ("Where did I live in May?", "2025-05-01", "2025-06-01"),
        ("Where did I live in January 2024?", "2024-01-01", "2024-02-01"),
        ("in December", "2025-12-01", "2026-01-01"),
        ("Was war am 2. Februar?", "2026-02-02", "2026-02-03"),
        ("am 12. April", "2025-04-12", "2025-04-13"),
        ("Qu'est-ce que j'ai fait en janvier ?", "2026-01-01", "2026-02-01"),
        ("où étais-je le 3 mars ?", "2026-03-03", "2026-03-04"),
        ("cosa ho fatto il 3 maggio 2024?", "2024-05-03", "2024-05-04"),
        ("o que eu fiz em dezembro?", "2025-12-01", "2026-01-01"),
        ("2月5号那天我去做什么了？", "2026-02-05", "2026-02-06"),
        ("2024年5月", "2024-05-01", "2024-06-01"),
        ("昨天我吃了什么？", "2026-03-13", "2026-03-14"),
        ("what did I buy in 2022", "2022-01-01", "2023-01-01"),
        ("what was it two weeks ago", "2026-02-28", "2026-03-01"),
        ("a year ago", "2025-03-14", "2025-03-15"),
        ("a couple of days ago", "2026-03-12", "2026-03-13"),
        ("the past 3 days", "2026-03-11", "2026-03-15"),
        ("where did I live last year?", "2024-03-14", "2026-03-15"),
        ("last weekend", "2026-03-07", "2026-03-09"),
        ("this week", "2026-03-09", "2026-03-15"),
        ("this year", "2026-01-01", "2026-03-15"),
        ("yesterday", "2026-03-13", "2026-03-14"),
        ("the day before yesterday", "2026-03-12", "2026-03-13"),
        ("what did I eat last night", "2026-03-13", "2026-03-14"),
        ("today", "2026-03-14", "2026-03-15"),
        ("last Monday", "2026-03-09", "2026-03-10"),
        ("on Saturday", "2026-03-07", "2026-03-08"),
        ("last summer", "2025-06-01", "2025-09-01"),
        ("in the winter of 2023", "2023-12-01", "2024-03-01"),
        ("Was habe ich letzten Sommer gemacht?", "2025-06-01", "2025-09-01"),
        ("Wo war ich vor zwei Wochen?", "2026-02-28", "2026-03-01"),
        ("was war am 3. Mai 2024", "2024-05-03", "2024-05-04"),
        ("was haben wir vorgestern gesagt", "2026-03-12", "2026-03-13"),
        ("letzten Montag", "2026-03-09", "2026-03-10"),
        ("¿Qué hice el verano pasado?", "2025-06-01", "2025-09-01"),
        ("¿dónde vivía hace dos años?", "2024-03-14", "2024-03-15"),
        ("¿qué compré el 5 de mayo de 2023?", "2023-05-05", "2023-05-06"),
        ("¿qué hice en diciembre?", "2025-12-01", "2026-01-01"),
        ("geçen yaz ne yaptım?", "2025-06-01", "2025-09-01"),
        ("iki yıl önce neredeydim", "2024-03-14", "2024-03-15"),
        ("dün ne dedim?", "2026-03-13", "2026-03-14"),
        ("5 Mayıs 2023'te ne oldu?", "2023-05-05", "2023-05-06"),
        ("что я делал прошлым летом?", "2025-06-01", "2025-09-01"),
        ("где я был два года назад?", "2024-03-14", "2024-03-15"),
        ("что было в марте 2024?", "2024-03-01", "2024-04-01"),
        ("что я купил на прошлой неделе", "2026-03-02", "2026-03-09"),
    ],
)
def test_a_question_names_its_days(question: str, first: str, last: str) -> None:
    found = [(window.start.date().isoformat(), window.end.date().isoformat()) for window in windows(question, NOW)]
    assert (first, last) in found


@pytest.mark.parametrize(
    "question",
    [
        *(
            "What may I eat?",
            "Did she march on?",
            "who is Mar?",
            "Where do I live?",
            "31 February 2024",
            "",
            "in 12345",
        ),
        *("in 12345", "¿quién es Julio?", "¿quién es Mar?", "bana bir şiir yaz", "Wo wohne ich?"),
    ],
)
def test_most_questions_name_none(question: str) -> None:
    assert windows(question, NOW) == ()


def test_yesterday_is_the_askers_own() -> None:
    lisbon = datetime(2026, 7, 1, 0, 30, tzinfo=ZoneInfo("Asia/Tokyo"))
    (window,) = windows("yesterday", lisbon)
    assert window.start == datetime(2026, 6, 30, tzinfo=ZoneInfo("Asia/Tokyo"))


def test_closeness_falls_with_the_distance() -> None:
    found = windows("on 1 March 2026", NOW)
    at = datetime(2026, 3, 1, 12, tzinfo=UTC)
    values = [closeness(found, at + timedelta(days=days)) for days in range(15)]
    assert values[0] == 1.0
    assert values[-1] == 0.0
    assert values == sorted(values, reverse=True)


@given(
    st.text(alphabet=st.sampled_from("abcdefmnrsuy 0123456789-,lastgoinwekhtd"), max_size=60),
    st.dates(date(1970, 1, 2)),
)
def test_whatever_is_asked_windows_are_in_order(question: str, today: date) -> None:
    now = datetime(today.year, today.month, today.day, 12, tzinfo=UTC)
    for window in windows(question, now):
        assert window.start < window.end
        assert 0.0 <= window.closeness(now) <= 1.0
