"""Every morning and every evening, as nine languages say it: one of them had been tomorrow, and some nothing."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from furoshiki.language.dates.habits import ENGLISH
from furoshiki.language.reflex.reminders import requests
from furoshiki.language.requests.values import Remind

NOW = datetime(2026, 3, 24, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("code", "said", "hour"),
    [
        ("en", "remind me every morning at 8 about the pill", 8),
        ("de", "erinnere mich jeden Morgen um acht an die Tablette", 8),
        ("de", "erinnere mich jeden Abend um 8 an die Tablette", 20),
        ("es", "recuérdame cada mañana a las 8 la pastilla", 8),
        ("es", "recuérdame todas las mañanas a las 8 la pastilla", 8),
        ("es", "recuérdame todas las noches a las 9 la pastilla", 21),
        ("fr", "rappelle-moi tous les matins à 8h le médicament", 8),
        ("fr", "rappelle-moi tous les soirs à 8h le médicament", 20),
        ("it", "ricordami tutte le mattine alle 8 la pastiglia", 8),
        ("it", "ricordami tutte le sere alle 8 la pastiglia", 20),
        ("pt", "lembra-me todas as manhãs às 8 do comprimido", 8),
        ("pt", "lembra-me todas as noites às 9 do comprimido", 21),
        ("ru", "напомни каждое утро в 8 про таблетку", 8),
        ("tr", "her sabah 8'de hapı hatırlat", 8),
        ("zh", "每天早上8点提醒我吃药", 8),
    ],
)
def test_every_morning_is_every_day(code: str, said: str, hour: int) -> None:
    asked = requests.request(said, NOW, ENGLISH.writing(code))
    assert isinstance(asked, Remind)
    assert asked.when is not None
    assert (asked.when.rule and asked.when.rule.split(";")[0], asked.when.at.hour) == ("FREQ=DAILY", hour)


@pytest.mark.parametrize(
    "said",
    [
        "remind me what I have on today",
        "erinnere mich, was ich heute habe",
        "recuérdame qué tengo hoy",
        "rappelle-moi ce que j'ai comme rappels",
        "ricordami cosa ho oggi",
        "me lembra o que eu tenho hoje",
        "напомни, что у меня сегодня",
        "bugün neyim var hatırlat",
        "提醒我今天有什么事",
    ],
)
def test_being_reminded_of_what_there_is_sets_nothing(said: str) -> None:
    assert type(requests.request(said, NOW)).__name__ in ("ShowReminders", "ShowDay")


@pytest.mark.parametrize("said", ["remind me at 5 what to buy", "recuérdame que tengo médico mañana a las 9"])
def test_what_is_to_be_done_is_set_all_the_same(said: str) -> None:
    assert isinstance(requests.request(said, NOW), Remind)
