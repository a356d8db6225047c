"""What is asked to be forgotten, what tells a message apart, and texts without what holds it."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.language import redaction
from furoshiki.language.redaction import Named, Phrase, Span, Wanted

TODAY = date(2026, 3, 24)


def holds(text: str) -> bool:
    return "zephyrine" in text.casefold()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("turn:12", Named((("turn", "12"),))),
        ("turn:12, memory:3 turn:12", Named((("turn", "12"), ("memory", "3")))),
        ("session:20260301-090000", Named((("session", "20260301-090000"),))),
        ("today", Span(TODAY, TODAY)),
        ("Yesterday", Span(date(2026, 3, 23), date(2026, 3, 23))),
        ("2026-03-01", Span(date(2026, 3, 1), date(2026, 3, 1))),
        ("2026-03-01..2026-03-05", Span(date(2026, 3, 1), date(2026, 3, 5))),
        ("2026-03-01 to 2026-03-05", Span(date(2026, 3, 1), date(2026, 3, 5))),
        ("2026-03-05..2026-03-01", None),
        ("2026-02-30", None),
        ("", None),
        ("  ?! ", None),
        ("Zephyrine", Phrase(("Zephyrine",))),
        ("“Zephyrine”.", Phrase(("Zephyrine",))),
        ("my address", Phrase(("my address", "address"))),
        (
            "everything I told you about my sister",
            Phrase(("everything I told you about my sister", "my sister", "sister")),
        ),
        ("that I live in Lyon", Phrase(("that I live in Lyon", "I live in Lyon"))),
        ("turn:12 and the dog", Phrase(("turn:12 and the dog",))),
    ],
)
def test_what_is_asked_for(text: str, wanted: Wanted | None) -> None:
    assert redaction.parse_request(text, TODAY) == wanted


def test_names_and_long_numbers_tell_a_message_apart() -> None:
    found = redaction.find_revealing(
        ["I met Anna Lund on Monday. She rang from 0612 345 678 in 2024, anna@lund.org"], ["Furo"]
    )
    assert found.certain == {"Anna", "Lund", "0612 345 678", "2024", "anna@lund.org"}
    assert found.perhaps == {"She"}


def test_names_of_the_two_who_talk_tell_nothing() -> None:
    assert redaction.find_revealing(["I asked Furo and Furo knew"], ["Furo"]).certain == frozenset()


def test_the_levels_of_a_pasted_log_tell_nothing_apart_for_every_log_has_them() -> None:
    pasted = "04:11:02,113 ERROR worker: it broke\n04:11:03,001 INFO worker: asked Quentin"
    found = redaction.find_revealing([pasted])
    assert not {"ERROR", "INFO"} & (found.certain | found.perhaps)
    assert "Quentin" in found.certain


def test_a_word_that_opens_a_sentence_is_a_name_when_it_stands_inside_another() -> None:
    assert redaction.is_name_within("Zephyrine", "I met Zephyrine.")
    assert not redaction.is_name_within("She", "No. She left. “She sang.”")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("It rains.", "It rains."),
        ("Zephyrine came.", ""),
        ("It rains. Zephyrine came. Tea helps.", "It rains. Tea helps."),
        ("I keep thinking\nof Zephyrine. Tea helps.", "Tea helps."),
        ("- tea\n- Zephyrine came\n- rain", "- tea\n- rain"),
        ("Topics: tea, Zephyrine, rain\nMood: calm", "Topics: tea, rain\nMood: calm"),
        ("User state: Glad about Zephyrine. A little tired.", "User state: A little tired."),
        ("User state: Glad about Zephyrine.\nMood: calm", "Mood: calm"),
        ("# Zephyrine\n\nShe sings.\n", "She sings.\n"),
        ("## Monday\n\nZephyrine came.\n\nIt rained.\n", "## Monday\n\nIt rained.\n"),
    ],
)
def test_a_text_without_what_holds_it(text: str, left: str) -> None:
    assert redaction.without(text, holds) == left


PIECES = st.lists(
    st.sampled_from(
        ["Zephyrine", "tea", "rain.", "It", "\n", "\n\n", "- ", "Topics: ", ", ", "! ", "sings", " ", "'s"]
    ),
    max_size=30,
)


@given(PIECES.map("".join))
def test_what_is_left_never_holds_it_and_is_left_alone_the_second_time(text: str) -> None:
    left = redaction.without(text, holds)
    assert not holds(left)
    assert redaction.without(left, holds) == left
    if not holds(text):
        assert left == text


VALUES: Any = st.recursive(
    st.none() | st.integers() | PIECES.map("".join),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(PIECES.map("".join), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_no_text_in_a_pruned_value_holds_it(value: Any) -> None:
    left = redaction.prune(value, holds)
    assert not redaction.holds_anywhere(left, holds)
    if not redaction.holds_anywhere(value, holds):
        assert left == value
