"""Which half of the day an hour is meant in: none late by twelve hours, and what may be either asked about.

The table stands beside this file: phrase, now (on the wall of the zone), zone, language of the account, how often they
were about at which hour ("5:12 6:4"), and what is expected ("asks" is a question back).
"""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from furoshiki.language.dates import habits as date_habits
from furoshiki.language.dates import parsing
from furoshiki.language.dates.half_of_day import half_said
from furoshiki.language.dates.parsing import Unclear, When

TABLE = Path(__file__).with_name("said_hours.tsv")
ROWS = list(csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
MOST_ASKED = 0.13
"""Of the table, which holds every doubtful hour beside the plain ones; with minutes, none."""


def read(row: dict[str, str]) -> When | Unclear | None:
    about = dict(one.split(":") for one in row["about"].split())
    habits = replace(
        date_habits.habits(row["language"], row["zone"]), hours=tuple(int(about.get(str(n), 0)) for n in range(24))
    )
    now = datetime.fromisoformat(row["now"]).replace(tzinfo=ZoneInfo(row["zone"]))
    return parsing.parse_when(row["phrase"], now, habits)


def made_of(found: When | Unclear | None) -> str:
    return found.at.strftime("%m-%d %H:%M") if isinstance(found, When) else "none" if found is None else "asks"


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['language']}: {row['phrase']} {row['about']}" for row in ROWS])
def test_an_hour_is_the_one_that_was_meant(row: dict[str, str]) -> None:
    assert made_of(read(row)) == row["expected"]


def test_the_table_is_large_enough_and_few_of_it_are_asked_about() -> None:
    said = Counter(row["language"].partition("-")[0] for row in ROWS)
    assert len(ROWS) >= 200
    assert all(said[one] >= 25 for one in date_habits.TONGUES)
    asked = [row["phrase"] for row in ROWS if row["expected"] == "asks"]
    assert len(asked) <= MOST_ASKED * len(ROWS)
    assert not [phrase for phrase in asked if ":" in phrase]


def test_what_is_asked_about_names_both_halves_the_earlier_first() -> None:
    now = datetime(2026, 3, 3, 14, 5, tzinfo=ZoneInfo("America/New_York"))
    found = parsing.parse_when("every day at 6 until June", now)
    assert isinstance(found, Unclear)
    assert found.asks == "Is that 06:00 or 18:00"
    assert [one.at.hour for one in found.halves] == [6, 18]
    assert all(one.rule is not None and "UNTIL" in one.rule for one in found.halves)
    there = parsing.parse_when("tomorrow at 6 London time", now)
    assert isinstance(there, Unclear)
    assert [f"{one.at:%d %H:%M} {one.zone}" for one in there.halves] == [
        "04 01:00 Europe/London",
        "04 13:00 Europe/London",
    ]


@pytest.mark.parametrize(
    ("said", "way"),
    [
        ("morning", 0), ("in the morning", 0), ("evening please", 1), ("the afternoon", 1), ("18", 1), ("6", 0),
        ("6:00", 0), ("06:00", 0), ("18 Uhr", 1), ("6pm", 1), ("PM", 1), ("am", 0), ("abends", 1), ("morgens", 0),
        ("morgens um 6", 0), ("am Abend", 1), ("früh", 0), ("de la mañana", 0), ("por la tarde", 1), ("akşam", 1),
        ("sabah", 0), ("akşam 6'da", 1), ("утром", 0), ("вечера", 1), ("в 6 вечера", 1),
        ("good morning", None), ("7", None), ("7 in the evening", None), ("evening or morning", None), ("", None),
        ("I had pasta in the evening", None), ("guten Abend", None), ("buenas tardes", None), ("yes", None),
    ],
)  # fmt: skip
def test_an_answer_names_one_of_two_hours(said: str, way: int | None) -> None:
    early = datetime(2026, 3, 4, 6, 0, tzinfo=ZoneInfo("Europe/Berlin"))
    assert half_said(said, [early, early + timedelta(hours=12)]) == way
