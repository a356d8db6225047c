"""Five needs out of nine emotions, and the marks they pass without flapping."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.feelings.rules import needs
from furoshiki.feelings.rules.emotions import NAMES, Emotions
from tests.support.laws import shipped

LAWS = shipped().needs
feelings = st.builds(Emotions, **dict.fromkeys(NAMES, st.floats(0, 1)))


def test_the_formulas_of_chapter_03() -> None:
    e = Emotions(
        loneliness=0.7,
        joy=0.2,
        curiosity=0.9,
        contentment=0.3,
        excitement=0,
        affection=0.6,
        worry=0.4,
        pride=0,
        anger=0.5,
    )
    assert needs.derive(e, LAWS) == pytest.approx(
        {
            "communication": 0.60 * 0.7 + 0.25 * 0.8 + 0.15 * 0.4,
            "connection": 0.70 * 0.7 + 0.20 * 0.7 + 0.10 * 0.4,
            "curiosity_need": 0.9,
            "helpfulness": 0.50 * 0.6 + 0.30 * 0.8 + 0.20 * 0.7,
            "self_knowledge": 0.50 * 0.7 + 0.25 * 0.9 + 0.25 * 0.5,
        }
    )


@given(feelings)
def test_needs_stay_between_0_and_1(felt: Emotions) -> None:
    derived = needs.derive(felt, LAWS)
    assert set(derived) == set(needs.NEEDS)
    assert all(0 <= level <= 1 for level in derived.values())


def at(level: float, before: needs.Mark) -> needs.Mark:
    return needs.marks(dict.fromkeys(needs.NEEDS, level), {"connection": before}, LAWS)["connection"]


@pytest.mark.parametrize(
    ("level", "before", "after"),
    [
        (0.59, "calm", "calm"),
        (0.60, "calm", "amber"),
        (0.56, "amber", "amber"),
        (0.54, "amber", "calm"),
        (0.84, "amber", "amber"),
        (0.85, "amber", "rose"),
        (0.85, "calm", "rose"),
        (0.81, "rose", "rose"),
        (0.79, "rose", "amber"),
        (0.56, "rose", "amber"),
        (0.54, "rose", "calm"),
    ],
)
def test_marks_hold_until_the_value_has_really_left(level: float, before: needs.Mark, after: needs.Mark) -> None:
    assert at(level, before) == after


def test_a_need_never_seen_before_starts_calm() -> None:
    assert needs.marks(dict.fromkeys(needs.NEEDS, 0.58), {}, LAWS) == dict.fromkeys(needs.NEEDS, "calm")


@given(st.lists(st.floats(0.58, 0.62), max_size=30))
def test_a_value_that_hovers_at_the_mark_passes_it_once(levels: list[float]) -> None:
    mark: needs.Mark = "calm"
    changes = 0
    for level in levels:
        changes += (new := at(level, mark)) != mark
        mark = new
    assert changes <= 1
