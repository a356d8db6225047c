"""Which day a birthday is, when it comes near, and in which words it comes to mind."""

from __future__ import annotations

from datetime import date

import pytest

from furoshiki.language.facts.extraction import USER
from furoshiki.mind.birthdays import rules
from furoshiki.mind.birthdays.rules import Birthday

ANIKA = Birthday(3, "Anika", 5, 3, 1990)


@pytest.mark.parametrize(
    ("told", "month", "day", "born"),
    [
        ("3 May", 5, 3, None),
        ("May 3rd", 5, 3, None),
        ("the 3rd of May", 5, 3, None),
        ("12 March 1985", 3, 12, 1985),
        ("March 12th, 1985", 3, 12, 1985),
        ("Sept. 30", 9, 30, None),
        ("29 February", 2, 29, None),
        ("14 de fevereiro", 2, 14, None),
        ("14 de febrero de 1960", 2, 14, 1960),
        ("le 14 février", 2, 14, None),
        ("14. Februar", 2, 14, None),
        ("14. Februar 1960", 2, 14, 1960),
        ("14 febbraio", 2, 14, None),
        ("1º de março", 3, 1, None),
        ("1er mars", 3, 1, None),
        ("14 февраля 1960 года", 2, 14, 1960),
        ("14 Şubat", 2, 14, None),
        ("2月14日", 2, 14, None),
        ("14/02", 2, 14, None),
        ("3.5.", 5, 3, None),
        ("14.02.1960", 2, 14, 1960),
    ],
)
def test_a_day_is_read_as_it_was_told(told: str, month: int, day: int, born: int | None) -> None:
    assert rules.read(3, "Anika", told) == Birthday(3, "Anika", month, day, born)


@pytest.mark.parametrize(
    "told",
    ["3/5", "soon", "31 April", "0 May", "Monday", "", "3 May at ten", "1985", "14/15", "32.1.", "fevereiro", "3月"],
)
def test_what_names_no_day_is_no_birthday(told: str) -> None:
    assert rules.read(3, "Anika", told) is None


@pytest.mark.parametrize(
    ("today", "following"),
    [
        (date(2026, 5, 2), date(2026, 5, 3)),
        (date(2026, 5, 3), date(2026, 5, 3)),
        (date(2026, 5, 4), date(2027, 5, 3)),
    ],
)
def test_the_next_one_is_this_year_until_it_is_over(today: date, following: date) -> None:
    assert ANIKA.next(today) == following


def test_the_29th_is_kept_on_the_28th_where_there_is_none() -> None:
    leap = Birthday(3, "Anika", 2, 29)
    assert (leap.on(2026), leap.on(2028)) == (date(2026, 2, 28), date(2028, 2, 29))


@pytest.mark.parametrize(
    ("whose", "today", "comes"),
    [
        ("Anika", date(2026, 5, 1), False),
        ("Anika", date(2026, 5, 2), True),
        ("Anika", date(2026, 5, 3), True),
        ("Anika", date(2026, 5, 4), False),
        (USER, date(2026, 5, 2), False),
        (USER, date(2026, 5, 3), True),
    ],
)
def test_somebody_elses_comes_a_day_before_and_their_own_on_the_day(whose: str, today: date, comes: bool) -> None:
    near = list(rules.near([Birthday(3, whose, 5, 3)], today, today))
    assert near == ([(Birthday(3, whose, 5, 3), date(2026, 5, 3))] if comes else [])


@pytest.mark.parametrize(
    ("birthday", "words"),
    [
        (ANIKA, "Anika's birthday is on Sunday, 3 May: they turn 36; a word in time may help"),
        (Birthday(3, "mother", 5, 3), "Their mother's birthday is on Sunday, 3 May; a word in time may help"),
        (Birthday(3, USER, 5, 3, 1985), "Sunday, 3 May is their birthday: they turn 41"),
    ],
)
def test_it_comes_to_mind_in_these_words(birthday: Birthday, words: str) -> None:
    assert rules.thought(birthday, date(2026, 5, 3)).summary == words
