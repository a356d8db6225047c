"""Words and the head heard together: surely, perhaps, or no danger."""

from __future__ import annotations

import pytest

from furoshiki.language.danger_head import Bounds
from furoshiki.language.reflex.care.judging import goes_on, judge
from furoshiki.language.reflex.care.noticing import notice
from tests.support.laws import care_words

BOUNDS = Bounds(sure=0.6, perhaps=0.2, doubted=0.25)


def verdict(text: str, danger: float, bounds: Bounds | None = BOUNDS) -> tuple[str, bool] | None:
    found = notice(text, care_words(), 2026)
    seen = judge(found, {"none": 1 - danger, "friend": danger}, bounds, text, care_words()[0])
    return None if seen is None else (seen.notice.kind, seen.sure)


@pytest.mark.parametrize(
    ("text", "danger", "expected"),
    [
        ("I want to die", 0.3, ("self", True)),
        ("I want to die", 0.22, ("self", False)),
        ("I want to die", 0.13, ("self", False)),
        ("I want to die", 0.01, None),
        ("he wrote that it is the last night", 0.7, ("friend", True)),
        ("he wrote that it is the last night", 0.3, ("friend", False)),
        ("he wrote that it is the last night", 0.1, None),
        ("my mother died", 0.1, None),
    ],
)
def test_words_decide_where_the_head_has_no_doubt_and_the_head_where_there_are_none(
    text: str, danger: float, expected: tuple[str, bool] | None
) -> None:
    assert verdict(text, danger) == expected


def test_without_a_head_words_decide_alone() -> None:
    assert verdict("I want to die", 0.0, None) == ("self", True)
    assert verdict("he wrote that it is the last night", 0.9, None) is None


def test_an_emergency_that_no_word_names_is_asked_about_if_it_is_likely_and_sure_if_it_is_very() -> None:
    text = "she has had asthma since she was a child"
    shares = ({"none": 1 - one, "emergency": one} for one in (0.4, 0.55, 0.8, 0.85))
    verdicts = [judge(None, each, BOUNDS, text, care_words()[0]) for each in shares]
    assert [one and one.sure for one in verdicts] == [None, False, False, True]


@pytest.mark.parametrize("kind", ["emergency", "self"])
@pytest.mark.parametrize("said", ["I'm having a panic attack", "ho un attacco di panico", "tenho um ataque de pânico"])
def test_panic_is_met_as_panic_and_only_danger_that_is_sure_speaks_beside_it(said: str, kind: str) -> None:
    """It was sent to the emergency number at once; the words for panic name that, and when to ring it."""
    found = notice(said, care_words(), 2026)
    assert found is not None and found.kind == "panic" and "{emergency}" in found.language.said["panic"][0]
    verdicts = [judge(found, {"none": 1 - one, kind: one}, BOUNDS, said, care_words()[0]) for one in (0.3, 0.99)]
    assert [one and one.notice.kind for one in verdicts] == [None, None if kind == "emergency" else "self"]


def test_good_news_is_bright_and_free_of_danger() -> None:
    bright = {"none": 0.3, "bright": 0.65, "self": 0.05}
    assert goes_on(None, bright, BOUNDS)
    assert not goes_on(None, {"none": 0.1, "bright": 0.6, "self": 0.3}, BOUNDS)
    assert not goes_on(notice("my mother died", care_words(), 2026), bright, BOUNDS)
    assert not goes_on(None, bright, None)
