"""What a session felt like: numbers that follow from the feelings, and words without numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.core.catalogue import speaking
from furoshiki.language.lexicon import CATEGORIES
from furoshiki.language.session_feeling import PLEASANT, WORDS, build_felt, in_words


def test_every_category_has_a_pleasantness_and_a_word() -> None:
    assert set(PLEASANT) == set(WORDS) == set(CATEGORIES)


def test_valence_and_intensity_follow_from_the_feelings_unless_they_were_read() -> None:
    sad = build_felt({"sadness": 0.9, "warmth": 0.3})
    assert (round(sad.valence, 2), sad.intensity) == (-0.4, 0.9)
    assert build_felt({"sadness": 0.9}, valence=0.1, intensity=0.2) == build_felt({"sadness": 0.9}, 0.1, 0.2)
    assert (build_felt({}).valence, build_felt({}).intensity) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("feelings", "words"),
    [
        ({}, "calm"),
        ({"worry": 0.1}, "calm"),
        ({"sadness": 0.9}, "sad, strongly; it was hard on them"),
        ({"worry": 0.5, "relief": 0.6}, "relieved and worried, clearly"),
        ({"warmth": 0.3, "praise": 0.25, "curiosity": 0.2}, "warm, appreciative and curious, a little; it was good"),
    ],
)
def test_feelings_are_told_in_words(feelings: dict[str, float], words: str) -> None:
    told = in_words(build_felt(feelings))
    assert told.startswith(words)
    assert not any(character.isdigit() for character in told)


def test_words_for_a_prompt_are_english_whatever_is_spoken() -> None:
    with speaking("es"):
        assert in_words(build_felt({"worry": 0.5, "relief": 0.6})).startswith("relieved and worried")


@given(st.dictionaries(st.sampled_from(CATEGORIES), st.floats(0, 1)))
def test_valence_and_intensity_stay_in_their_ranges(feelings: dict[str, float]) -> None:
    one = build_felt(feelings)
    assert -1 <= one.valence <= 1 and 0 <= one.intensity <= 1
    assert in_words(one)
