"""Since when, until when: times that are told with a fact."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.language.dates.past.fact_times import UNSAID, Times, read

NOW = datetime(2026, 11, 22, 15, 0, tzinfo=ZoneInfo("Europe/Lisbon"))


def days(found: Times) -> tuple[date | None, ...]:
    return tuple(None if at is None else at.date() for at in (found.since, found.until, found.at, found.at_end))


@pytest.mark.parametrize(
    ("sentence", "since", "until", "at", "end"),
    [
        ("I live in Lyon since 2023", date(2023, 1, 1), None, None, None),
        ("I've worked at the harbour since March", date(2026, 3, 1), None, None, None),
        ("I've worked at the harbour since December", date(2025, 12, 1), None, None, None),
        ("until May I worked at the zoo", None, date(2026, 5, 1), None, None),
        ("I lived in Rome from 2015 to 2019", date(2015, 1, 1), date(2019, 1, 1), None, None),
        ("I lived in Rome between 2015 and 2019", date(2015, 1, 1), date(2019, 1, 1), None, None),
        ("last year I lived in Rome", None, None, date(2025, 1, 1), date(2026, 1, 1)),
        ("in 2019 I lived in Rome", None, None, date(2019, 1, 1), date(2020, 1, 1)),
        ("I moved to Lyon in March", date(2026, 3, 1), None, date(2026, 3, 1), date(2026, 4, 1)),
        ("I moved to Lyon last March", date(2026, 3, 1), None, date(2026, 3, 1), date(2026, 4, 1)),
        ("I moved to Lyon three years ago", date(2023, 11, 22), None, date(2023, 11, 22), date(2023, 11, 23)),
        ("I moved to Lyon two weeks ago", date(2026, 11, 8), None, date(2026, 11, 8), date(2026, 11, 9)),
        ("I moved to Lyon yesterday", date(2026, 11, 21), None, date(2026, 11, 21), date(2026, 11, 22)),
        ("I moved on 3 May 2024 to Lyon", date(2024, 5, 3), None, date(2024, 5, 3), date(2024, 5, 4)),
        ("I moved last summer", date(2026, 6, 1), None, date(2026, 6, 1), date(2026, 9, 1)),
        ("I've lived in Lyon for ten years", date(2016, 11, 22), None, None, None),
        ("I lived in Lyon for ten years", None, None, None, None),
        ("I live in Lyon", None, None, None, None),
        ("I may move to Lyon", None, None, None, None),
        ("I moved in 2031", None, None, None, None),
        ("I was born on 31 February", None, None, None, None),
        ("I like August Strindberg", None, None, None, None),
        ("Ich wohne seit 2023 in Lyon", date(2023, 1, 1), None, None, None),
        ("Ich wohne seit zwei Jahren in Lyon", date(2024, 11, 22), None, None, None),
        ("Bis Mai habe ich im Zoo gearbeitet", None, date(2026, 5, 1), None, None),
        ("Ich bin im März nach Lyon gezogen", date(2026, 3, 1), None, date(2026, 3, 1), date(2026, 4, 1)),
        ("Vor drei Jahren war ich in Rom", None, None, date(2023, 11, 22), date(2023, 11, 23)),
        ("Ich wohne in Lyon", None, None, None, None),
        ("Vivo en Lyon desde 2023", date(2023, 1, 1), None, None, None),
        ("Vivo aquí desde hace dos años", date(2024, 11, 22), None, None, None),
        ("Me mudé a Lyon en marzo", date(2026, 3, 1), None, date(2026, 3, 1), date(2026, 4, 1)),
        ("El año pasado viví en Roma", None, None, date(2025, 1, 1), date(2026, 1, 1)),
        ("2019'dan beri Lyon'da yaşıyorum", date(2019, 1, 1), None, None, None),
        ("İki yıldır burada yaşıyorum", date(2024, 11, 22), None, None, None),
        ("Üç yıl önce Lyon'a taşındım", date(2023, 11, 22), None, date(2023, 11, 22), date(2023, 11, 23)),
        ("Я живу в Лионе с 2023 года", date(2023, 1, 1), None, None, None),
        ("Я переехал в Лион в марте", date(2026, 3, 1), None, date(2026, 3, 1), date(2026, 4, 1)),
        ("В прошлом году я жил в Риме", None, None, date(2025, 1, 1), date(2026, 1, 1)),
        ("Я живу в Лионе", None, None, None, None),
    ],
)
def test_the_times_of_a_fact(
    sentence: str, since: date | None, until: date | None, at: date | None, end: date | None
) -> None:
    assert days(read(sentence, NOW)) == (since, until, at, end)


@pytest.mark.parametrize(
    ("sentence", "day"),
    [
        ("I moved two and a half years ago", date(2024, 5, 22)),
        ("I moved half a year ago", date(2026, 5, 22)),
        ("I moved a month and a half ago", date(2026, 10, 7)),
        ("I moved two and a half weeks ago", date(2026, 11, 4)),
        ("I've lived here for one and a half years", date(2025, 5, 22)),
        ("Ich bin vor zweieinhalb Jahren umgezogen", date(2024, 5, 22)),
        ("Ich bin vor einem halben Jahr umgezogen", date(2026, 5, 22)),
        ("Me mudé hace dos años y medio", date(2024, 5, 22)),
        ("Я переехала полтора года назад", date(2025, 5, 22)),
        ("İki buçuk yıl önce taşındım", date(2024, 5, 22)),
        ("J'ai déménagé il y a deux ans et demi", date(2024, 5, 22)),
        ("Mudei há meio ano", date(2026, 5, 22)),
        ("Mi sono trasferita due anni e mezzo fa", date(2024, 5, 22)),
    ],
)
def test_half_a_unit_counts_half_in_every_language(sentence: str, day: date) -> None:
    assert days(read(sentence, NOW))[0] == day


@pytest.mark.parametrize(
    "sentence",
    [
        "I lived in Rome from 2015 until 2019",
        "Von 2015 bis 2019 wohnte ich in Rom",
        "Zwischen 2015 und 2019 wohnte ich in Rom",
        "Entre 2015 y 2019 viví en Roma",
        "Entre 2015 et 2019 j'habitais à Rome",
        "Tra il 2015 e il 2019 abitavo a Roma",
        "Entre 2015 e 2019 morei em Roma",
        "Между 2015 и 2019 я жил в Риме",
    ],
)
def test_a_fact_holds_between_two_times(sentence: str) -> None:
    assert days(read(sentence, NOW)) == (date(2015, 1, 1), date(2019, 1, 1), None, None)


@pytest.mark.parametrize(
    ("sentence", "at", "end"),
    [
        ("the year before last I lived in Rome", date(2024, 1, 1), date(2025, 1, 1)),
        ("Vorletztes Jahr war ich in Rom", date(2024, 1, 1), date(2025, 1, 1)),
        ("the day before yesterday we talked", date(2026, 11, 20), date(2026, 11, 21)),
        ("last weekend our city held a parade", date(2026, 11, 14), date(2026, 11, 16)),
        ("yesterday's dinner was great", date(2026, 11, 21), date(2026, 11, 22)),
        ("I paid 500 on May 3", date(2026, 5, 3), date(2026, 5, 4)),
        ("2019年我住在罗马", date(2019, 1, 1), date(2020, 1, 1)),
        ("三年前我在罗马", date(2023, 11, 22), date(2023, 11, 23)),
    ],
)
def test_when_something_happened(sentence: str, at: date, end: date) -> None:
    assert days(read(sentence, NOW)) == (None, None, at, end)


@pytest.mark.parametrize(
    "sentence",
    [
        "great job on your first day back at university",
        "in the summer I love going south",
        "$100 extra for March, please",
        "I get paid monthly starting March",
        "the march was cold and the leaves fall",
        "what are you doing this evening?",
        "we'll talk in the coming weeks",
        "this weekend I'm hiking",
    ],
)
def test_other_sentences_name_no_past_time(sentence: str) -> None:
    assert read(sentence, NOW) == UNSAID


@given(st.text(max_size=120))
def test_any_text_is_read_and_nothing_lies_ahead(text: str) -> None:
    found = read(text, NOW)
    assert all(at is None or at <= NOW for at in (found.since, found.until, found.at))
    assert found == UNSAID or any(at is not None for at in (found.since, found.until, found.at))


_SOME = "since until in last from to May March 2019 2023 year years ago two 29 February 31 I moved"
_WORDS = st.sampled_from(_SOME.split())


@given(st.lists(_WORDS, max_size=12), st.datetimes(datetime(2001, 1, 1), datetime(2099, 12, 31)))
def test_odd_dates_are_no_errors(words: list[str], now: datetime) -> None:
    read(" ".join(words), now.replace(tzinfo=UTC))
