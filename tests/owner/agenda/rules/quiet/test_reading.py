"""Wishes for quiet, and lines that only look like one: a table over nine languages."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from pathlib import Path
from time import process_time
from zoneinfo import ZoneInfo

import pytest

from furoshiki.language.dates.habits import Habits
from furoshiki.owner.agenda.rules.quiet.reading import LONGEST, read_quiet

NOW = datetime(2026, 11, 26, 21, 0, tzinfo=ZoneInfo("Europe/Berlin"))
TABLE = Path(__file__).with_name("wishes.tsv")
LINES = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def read(text: str, now: datetime = NOW, wakes: time = time(8)) -> str:
    wish = read_quiet(text, now, Habits(), wakes)
    if wish is None:
        return "-"
    return "off" if wish.until is None else "open" if wish.guessed else f"{wish.until:%a %d %H:%M}"


@pytest.mark.parametrize("language", sorted({line[0] for line in LINES}))
def test_the_table_is_read_as_it_is_meant(language: str) -> None:
    found = [(read(text), end, text) for tongue, end, text in LINES if tongue == language]
    assert [(one, text) for one, end, text in found if one != end] == []


@pytest.mark.parametrize(
    "text",
    [
        "leave me alone until sunday",
        "me deixa quieto até domingo",
        "lass mich in Ruhe bis Sonntag",
        "déjame en paz hasta el domingo",
    ],
)
def test_until_a_day_that_has_begun_is_until_it_comes_again(text: str) -> None:
    assert read(text, NOW + timedelta(days=2, hours=12)) == "Sun 06 08:00"
    assert read(text, NOW + timedelta(days=2, hours=10)) == "Sun 29 08:00"


@pytest.mark.parametrize(
    ("text", "begins", "ends", "weekly"),
    [
        ("dont write me sunday mornings ok, thats misa", "Sun 29 00:00", "Sun 29 12:00", True),
        ("please don't write on sundays", "Sun 29 00:00", "Mon 30 08:00", True),
        ("every sunday morning please leave me alone", "Sun 29 00:00", "Sun 29 12:00", True),
        ("don't text me on monday evening please", "Mon 30 18:00", "Tue 01 08:00", False),
        ("schreib mir bitte sonntags nicht", "Sun 29 00:00", "Mon 30 08:00", True),
        ("bitte schreib mir sonntag vormittags nicht", "Sun 29 00:00", "Sun 29 12:00", True),
        ("no me escribas los domingos por la mañana", "Sun 29 00:00", "Sun 29 12:00", True),
        ("no me escribas el lunes por la noche", "Mon 30 20:00", "Tue 01 08:00", False),
        ("ne m'écris pas le dimanche matin", "Sun 29 00:00", "Sun 29 12:00", True),
        ("non scrivermi la domenica mattina", "Sun 29 00:00", "Sun 29 12:00", True),
        ("não me escrevas aos domingos", "Sun 29 00:00", "Mon 30 08:00", True),
        ("не пиши мне по воскресеньям", "Sun 29 00:00", "Mon 30 08:00", True),
        ("pazar sabahları bana yazma", "Sun 29 00:00", "Sun 29 12:00", True),
        ("周日早上别给我发消息", "Sun 29 00:00", "Mon 30 08:00", False),
        ("quiet on school days only", "Mon 23 00:00", "Sat 28 08:00", True),
        ("quiet on mondays only, mate", "Mon 30 00:00", "Tue 01 08:00", True),
        ("no messages at weekends please", "Sat 28 00:00", "Mon 30 08:00", True),
        ("unter der Woche bitte nicht schreiben", "Mon 23 00:00", "Sat 28 08:00", True),
        ("an Schultagen bitte Ruhe", "Mon 23 00:00", "Sat 28 08:00", True),
        ("no me escribas entre semana", "Mon 23 00:00", "Sat 28 08:00", True),
        ("no me escribas los fines de semana", "Sat 28 00:00", "Mon 30 08:00", True),
        ("pas de messages en semaine stp", "Mon 23 00:00", "Sat 28 08:00", True),
        ("non scrivermi nei giorni feriali", "Mon 23 00:00", "Sat 28 08:00", True),
        ("não me escreva nos fins de semana", "Sat 28 00:00", "Mon 30 08:00", True),
        ("не пиши мне по будням", "Mon 23 00:00", "Sat 28 08:00", True),
        ("hafta içi bana yazma", "Mon 23 00:00", "Sat 28 08:00", True),
        ("工作日别给我发消息", "Mon 23 00:00", "Sat 28 08:00", True),
        ("don't text me this weekend", "", "Mon 30 08:00", False),
        ("don't message me until sunday", "", "Sun 29 08:00", False),
        ("don't message me tomorrow", "", "Sat 28 08:00", False),
        ("no messages today please", "", "Fri 27 08:00", False),
    ],
)
def test_what_begins_in_some_days_or_every_week_is_no_quiet_from_now_on(
    text: str, begins: str, ends: str, weekly: bool
) -> None:
    wish = read_quiet(text, NOW, Habits())
    assert wish is not None and wish.until is not None
    since = "" if wish.begins is None else f"{wish.begins:%a %d %H:%M}"
    assert (since, f"{wish.until:%a %d %H:%M}", wish.weekly) == (begins, ends, weekly)


@pytest.mark.parametrize(
    "text",
    ["no messages about my mate", "leave my mate alone", "it is quiet here on weekdays", "I text her on mondays only"],
)
def test_who_is_called_or_when_somebody_else_does_makes_no_wish(text: str) -> None:
    assert read(text) == "-"


def test_the_table_holds_enough_of_both() -> None:
    assert len(LINES) >= 200
    assert sum(end == "-" for _, end, _ in LINES) >= 90


def test_an_end_that_nobody_named_is_bounded() -> None:
    wishes = [read_quiet(text, NOW, Habits()) for _, end, text in LINES if end == "open"]
    assert all(one and one.until and timedelta(hours=8) < one.until - NOW <= timedelta(days=8) for one in wishes)


def test_a_day_begins_as_they_wake() -> None:
    assert read("don't message me until sunday", wakes=time(10, 30)) == "Sun 29 10:30"
    late = NOW.replace(hour=1)
    assert read("leave me alone tonight", late) == "Fri 27 08:00"
    assert read("don't text me until 6 pm", NOW.replace(hour=12)) == "Thu 26 18:00"


@pytest.mark.parametrize(
    "piece", ["quiet on monday until monday 3 days. ", "please don't write me until ", "alone, " * 9]
)
def test_no_text_takes_long(piece: str) -> None:
    began = process_time()
    read((piece * 2_000)[: 2 * LONGEST])
    assert process_time() - began < 2
