"""What people say of a time, in five languages, and what is made of it: a moment, a repetition, or a question.

The table stands beside this file: phrase, now (on the wall of the zone), zone, language of the account, and what is
expected. "ask" is a question back, "past" a moment gone by, "none" no time at all (which is asked for, too). A phrase
that is read wrongly is worse than any that is asked about.
"""

from __future__ import annotations

import csv
import subprocess
import sys
from collections import Counter
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from furoshiki.language.dates import habits as date_habits
from furoshiki.language.dates import parsing
from furoshiki.language.dates.habits import Habits
from furoshiki.language.dates.parsing import Unclear, When
from furoshiki.language.word_tables import texts
from tests.support.growth import MOST_GROWTH, growth
from tests.support.laws import BERLIN

TUESDAY = datetime(2026, 3, 3, 14, 5, tzinfo=BERLIN)
TABLE = Path(__file__).with_name("said_times.tsv")
ROWS = list(csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))


def made_of(phrase: str, now: datetime, habits: Habits) -> str:
    found = parsing.parse_when(phrase, now, habits)
    if not isinstance(found, When):
        return "none" if found is None else "ask"
    if found.past:
        return "past"
    return found.at.strftime("%Y-%m-%dT%H:%M" + (":%S" if found.at.second else "")) + (
        f" {found.rule}" if found.rule else ""
    )


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['language']}: {row['phrase']}" for row in ROWS])
def test_what_is_said_is_what_is_meant(row: dict[str, str]) -> None:
    now = datetime.fromisoformat(row["now"]).replace(tzinfo=ZoneInfo(row["zone"]))
    assert made_of(row["phrase"], now, date_habits.habits(row["language"], row["zone"])) == row["expected"]


def test_the_table_is_large_enough() -> None:
    said = Counter(row["language"].partition("-")[0] for row in ROWS)
    assert said["en"] >= 200
    assert all(said[one] >= 20 for one in date_habits.TONGUES)
    assert texts("dates", "words").keys() == set(date_habits.TONGUES)


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row["language"] in date_habits.TONGUES[1:] and len(row["phrase"]) > 9]
)
def test_another_language_than_the_accounts_is_never_read_as_something_else(row: dict[str, str]) -> None:
    """An owner whose account is English writes German: the same moment, or a question."""
    now = datetime.fromisoformat(row["now"]).replace(tzinfo=ZoneInfo(row["zone"]))
    assert made_of(row["phrase"], now, date_habits.habits("en", row["zone"])) in (row["expected"], "ask", "none")


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("tomorrow fortnightly-ish", "I read “tomorrow”, but not “fortnightly-ish”"),
        ("03/04 at 9", "I read “03/04”: is 03/04 the 3 April or the 4 March?"),
        ("on Friday 21 March at 9", "I read “on Friday 21 March”: 21 March 2026 is a Saturday"),
        ("friday or saturday", "That names more than one time"),
    ],
)
def test_what_is_asked_names_what_was_read_and_what_was_not(text: str, asks: str) -> None:
    found = parsing.parse_when(text, TUESDAY)
    assert isinstance(found, Unclear)
    assert found.asks == asks


LONG = 100_000
HOSTILE = [
    *(
        "tomorrow at 9 ",
        "9 ",
        "a ",
        " ",
        "'",
        "mon,",
        "in an hour and ",
        "24.12.",
        "next ",
        "every ",
        "1:",
        "saat ",
        "и в ",
    ),
    *("1", "twenty-", "a-", "x'", "on the ", "half past ", "\t", "\u2019", "last day of ", "2026-01-01T"),
]


@pytest.mark.slow
@pytest.mark.parametrize("piece", HOSTILE)
def test_a_text_made_to_be_slow_is_not(piece: str) -> None:
    parsing.parse_when(f"tomorrow {(piece * 200)[:200]}", TUESDAY)  # the libraries are there
    assert growth(lambda text: parsing.parse_when(text, TUESDAY), piece, LONG, tries=2) < MOST_GROWTH
    assert growth(lambda text: parsing.read(text, TUESDAY), piece, LONG, tries=2) < MOST_GROWTH


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(sorted({word for row in ROWS for word in row["phrase"].split()})), max_size=9))
def test_words_of_time_in_any_order_are_read_or_asked_about(words: list[str]) -> None:
    text = " ".join(words)
    for found in (parsing.parse_when(text, TUESDAY), parsing.read(text, TUESDAY)):
        if isinstance(found, When):
            assert all(0 <= start < end <= len(text) for start, end in found.spans)
            assert found.at.tzinfo is TUESDAY.tzinfo
    assert isinstance(parsing.without(text, ((0, 1),) if text else ()), str)


def test_no_day_of_the_calendar_pays_for_the_library_that_reads_other_languages() -> None:
    code = (
        "import sys\nfrom datetime import UTC, datetime\nfrom furoshiki.language.dates import parsing as dates\n"
        "now = datetime(2026, 3, 3, tzinfo=UTC)\n"
        "for text in ('hello', 'remind me to call Tom', 'I ate 3 apples', 'tomorrow at 9', 'next friday at noon'):\n"
        "    dates.parse_when(text, now)\n"
        "print('dateparser' in sys.modules)\ndates.parse_when('24 December', now)\nprint('dateparser' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout.split() == ["False", "False"]


@pytest.mark.parametrize(
    ("language", "zone", "order"),
    [
        ("en", "Europe/Berlin", ""),
        ("en", "America/New_York", "MDY"),
        ("en", "Europe/London", "DMY"),
        ("en-US", "Europe/Berlin", "MDY"),
        ("en-GB", "America/New_York", "DMY"),
        ("de", "America/New_York", "DMY"),
        (None, "UTC", ""),
        ("fr", "Europe/Paris", "DMY"),
        ("pl", "Europe/Warsaw", ""),
    ],
)
def test_whether_day_or_month_comes_first_follows_their_language_or_their_zone(
    language: str | None, zone: str, order: str
) -> None:
    assert date_habits.habits(language, zone).order == order
