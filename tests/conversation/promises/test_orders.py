"""What is ordered in plain words, and what only looks like it, in all languages that dates are read in and a few more.

The table beside this file: a language, what is asked for ("-" for nothing), and what is said.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from furoshiki.conversation.promises.rules import orders
from furoshiki.language.dates.habits import Habits
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.situation import Situation
from furoshiki.language.reflex.wording import Wording
from tests.support.said import LISBON, rows_of
from tests.support.world import START

ROWS = rows_of(Path(__file__).with_name("said_orders.tsv"))
UNSEEN = rows_of(Path(__file__).with_name("said_orders_unseen.tsv"))
KINDS = {"schedule": "reminder", "list": "list", "memorize": "note"}


def ordered(text: str, tongue: str) -> str:
    """The kind of order that is read; "-" for none."""
    if not orders.likely(text, ""):
        return "-"
    habits = Habits(tuple(dict.fromkeys((tongue, "en"))))
    situation = Situation(text, START.astimezone(LISBON), habits=habits)
    found = orders.orders(Heard(situation), Wording(situation, random.Random(1)))
    for _, one in found:
        return KINDS[one.calls[0].name] if one.calls else "reminder"
    return "-"


@pytest.mark.parametrize("table", [ROWS, UNSEEN], ids=["fitted", "unseen"])
def test_orders_are_heard_and_what_looks_like_one_is_left_alone(table: list[dict[str, str]]) -> None:
    heard = [(row, ordered(row["said"], row["tongue"])) for row in table]
    false = [row["said"] for row, kind in heard if row["asks"] == "-" != kind]
    missed = [f"{row['said']} ({kind})" for row, kind in heard if row["asks"] not in ("-", kind)]
    plain = sum(row["asks"] != "-" for row in table)
    print(f"false {len(false)} of {len(table) - plain}, missed {len(missed)} of {plain}: {missed}")
    assert false == []
    assert len(missed) <= plain * 0.1, missed


def test_the_tables_hold_both_sides_in_every_language() -> None:
    count = Counter((row["tongue"], row["asks"] == "-") for row in (*ROWS, *UNSEEN))
    assert len(ROWS) >= 120
    assert all(count[tongue, side] >= 2 for tongue in ("en", "de", "es", "ru", "tr") for side in (True, False))
