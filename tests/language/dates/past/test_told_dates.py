"""A date stands beside a fact when the words speak of that day."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from furoshiki.language.dates.past.told_dates import is_date_named

SAID_AT = datetime(2026, 3, 24, 15, tzinfo=UTC)  # a Tuesday

IN_MAY = (
    "we move in May",
    "im Mai ziehen wir um",
    "nos mudamos en mayo",
    "on déménage en mai",
    "ci trasferiamo a maggio",
    "mudamo-nos em maio",
    "в мае мы переезжаем",
    "mayısta taşınıyoruz",
    "Mayıs'ın başında taşınıyoruz",
    "我们五月搬家",
    "我们5月搬家",
)
"""A month alone, which a mind writes as 2026-05 and is kept as its first day."""


@pytest.mark.parametrize(
    ("day", "text", "told"),
    [
        ("2026-03-30", "I start at the harbour on Monday", True),
        ("2026-03-31", "I start at the harbour on Monday", False),
        ("2031-03-31", "I start at the harbour on Monday", False),
        ("2026-03-25", "the exam is tomorrow", True),
        ("2026-05-14", "the wedding is on 14 May", True),
        ("2026-05-14", "the wedding is on the 14.5.", True),
        ("2026-04-15", "I have an exam on Friday the 15th", True),
        ("2026-06-15", "I have an exam on Friday the 15th", False),
        ("2019-06-01", "I moved to Lyon in 2019", True),
        ("2024-03-24", "I moved to Lyon two years ago", True),
        ("2024-03-24", "I moved to Lyon", False),
        ("2026-03-24", "I moved today", True),
        ("2026-12-25", "they come for Christmas", True),
        ("1999-12-25", "they come for Christmas", False),
        ("2026-03-30", "am Montag fange ich im Hafen an", True),
        ("2026-03-31", "am Montag fange ich im Hafen an", False),
        ("2026-03-25", "la prueba es mañana", True),
        ("2024-03-24", "vor zwei Jahren bin ich nach Lyon gezogen", True),
        ("2020-03-24", "vor zwei Jahren bin ich nach Lyon gezogen", False),
        ("2024-03-24", "on a déménagé à Lyon y'a deux ans", True),
        ("2024-03-24", "il y a deux ans on a déménagé", True),
        ("2020-03-24", "il y a deux ans on a déménagé", False),
        ("2024-03-24", "me mudei faz dois anos", True),
        ("2024-03-24", "dois anos atrás a gente se mudou", True),
        ("2024-03-24", "due anni fa ci siamo trasferiti", True),
        ("2026-02-03", "elle est morte le trois février", True),
        ("2026-02-04", "elle est morte le trois février", False),
        ("2025-07-10", "geçen yaz Lyon'daydım", True),
        ("2026-05-14", "свадьба 14 мая", True),
        ("2026-05-15", "свадьба 14 мая", False),
        *(("2026-05-01", text, True) for text in IN_MAY),
        *(("2026-06-01", text, False) for text in IN_MAY),
        *(("2028-05-01", text, False) for text in IN_MAY),
    ],
)
def test_a_day_is_named_or_not(day: str, text: str, told: bool) -> None:
    assert is_date_named(datetime.fromisoformat(f"{day}T12:00+00:00"), text, SAID_AT) is told
