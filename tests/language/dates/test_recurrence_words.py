"""How often a reminder comes is said as it is in the nine languages."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from furoshiki.core.catalogue import languages, say, speaking
from furoshiki.language.dates.recurrence_words import often

AT = datetime(2026, 3, 4, 9, 0, tzinfo=UTC)
RULES = (
    "FREQ=MINUTELY;INTERVAL=30",
    "FREQ=HOURLY",
    "FREQ=HOURLY;INTERVAL=2",
    "FREQ=DAILY;INTERVAL=3;COUNT=4",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO",
    "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    "FREQ=MONTHLY;BYMONTHDAY=5",
    "FREQ=MONTHLY;BYMONTHDAY=-1",
    "FREQ=MONTHLY;BYDAY=2MO",
    "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=4",
    "FREQ=DAILY;UNTIL=20260531T000000",
    "FREQ=DAILY;BYHOUR=8,20",
)


@pytest.mark.parametrize(
    ("language", "rule", "words"),
    [
        ("en", "FREQ=HOURLY;INTERVAL=2", "every 2 hours"),
        ("de", "FREQ=HOURLY;INTERVAL=2", "alle 2 Stunden"),
        ("de", "FREQ=HOURLY", "jede Stunde"),
        ("de", "FREQ=MONTHLY;BYMONTHDAY=5", "jeden Monat (am 5.) um 09:00 Uhr"),
        ("es", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "de lunes a viernes a las 09:00"),
        ("fr", "FREQ=HOURLY;INTERVAL=3", "toutes les 3 heures"),
        ("it", "FREQ=DAILY;INTERVAL=3;COUNT=4", "ogni 3 giorni alle 09:00, 4 volte"),
        ("pt", "FREQ=HOURLY;INTERVAL=2", "a cada 2 horas"),
        ("ru", "FREQ=HOURLY;INTERVAL=2", "каждые 2 часа"),
        ("ru", "FREQ=HOURLY;INTERVAL=5", "каждые 5 часов"),
        ("tr", "FREQ=DAILY;UNTIL=20260531T000000", "her gün saat 09:00, 31 Mayıs 2026 tarihine kadar"),
        ("zh", "FREQ=MONTHLY;BYDAY=2MO", "每月（第2个星期一）09:00"),
        ("en", "FREQ=DAILY;BYHOUR=8,20", "every day at 08:00 and 20:00"),
        ("de", "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=30", "jeden Tag um 08:30 und 20:30 Uhr"),
        ("tr", "FREQ=WEEKLY;BYDAY=MO;BYHOUR=8,14,20", "her pazartesi saat 08:00, 14:00 ve 20:00"),
    ],
)
def test_a_rhythm_is_said_as_it_is(language: str, rule: str, words: str) -> None:
    with speaking(language):
        assert often(rule, AT) == words


@pytest.mark.parametrize("language", sorted(languages()))
def test_no_two_rhythms_sound_alike_and_none_comes_again_and_again(language: str) -> None:
    with speaking(language):
        said = {often(rule, AT) for rule in RULES}
        assert len(said) == len(RULES)
        assert say("again and again") not in said
