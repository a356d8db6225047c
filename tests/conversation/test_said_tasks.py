"""Tasks and reminders as people say them in nine languages, with the built-in mind, down to the row that is kept.

The table stands beside this file: the language, what is said (" / " between messages, "+11m" lets minutes pass, and
what is due is said), what is kept afterwards ("title @ local time rule !priority", "list: item", "-" for nothing,
"asks" for nothing and a question), and words of the last answer. It begins on Tuesday 24 March 2026 at 15:00 in Lisbon,
where summer time begins on Sunday; a message takes a minute.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.world import World
from tests.support.extent import at_night
from tests.support.said import begin_again, kept, rows_of, spoken
from tests.support.world import FrozenClock, Human, Script

ROWS = rows_of(Path(__file__).with_name("said_tasks.tsv"))
PARTS = 2
"""Tests that the table is dealt out to, row by row, so that both have rows of each language; the second at night."""
RIGHT = 0.95
"""So much of the table must be understood; of the rest nothing may be kept, and a question be asked."""


@pytest.fixture(autouse=True)
def reflex(model: Script) -> None:
    """The built-in mind answers everything."""
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 20 * len(ROWS)


@pytest.mark.slow
@pytest.mark.parametrize("part", [0, *at_night(1)])
async def test_what_is_said_is_understood_or_asked_about(
    part: int, world: World, human: Human, clock: FrozenClock
) -> None:
    rows = ROWS[part::PARTS]
    wrong, guessed = [], []
    for number, row in enumerate(rows):
        begin_again(number, world, human, clock)
        *before, last = row["said"].split(" / ")
        if before:
            await spoken(" / ".join(before), world, human, clock)
        held = kept(world)
        answer = await spoken(last, world, human, clock)
        found, asked = kept(world), "?" in answer.replace("？", "?")
        if row["kept"] == "asks":
            right = found == held == "-" and asked
        else:
            right = found == row["kept"] and row["says"] in answer
        if not right:
            wrong.append(f"{row['said']}: kept {found}, said {answer}")
            guessed += [] if found == held and asked else wrong[-1:]
    assert not guessed, "guessed instead of asking:\n" + "\n".join(guessed)
    assert len(wrong) <= (1 - RIGHT) * len(rows), "\n".join(wrong)


def test_the_table_is_large_enough_and_names_nothing_twice() -> None:
    assert len(ROWS) >= 150
    assert len({row["said"] for row in ROWS}) == len(ROWS)
    tongues = Counter(row["tongue"] for row in ROWS)
    assert all(tongues[tongue] >= 10 for tongue in ("de", "es", "fr", "it", "pt", "tr", "ru", "zh"))
    assert tongues.most_common(1)[0][0] == "en"
