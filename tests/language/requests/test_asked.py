"""What is heard as a wish for a picture, and what as a password that was asked for (`bench/asked_lines`)."""

from __future__ import annotations

import random
import string

import pytest

from bench import asked
from furoshiki.core.network import keys
from furoshiki.language.requests.picture_words import is_about_itself, is_picture_request

LANGUAGES = {"en", "de", "es", "fr", "it", "pt", "ru", "tr", "zh"}


@pytest.mark.parametrize(("name", "most_missed", "most_taken"), [("draw", 0.03, 0.02), ("passwords", 0.0, 0.0)])
def test_what_is_asked_is_told_from_what_only_sounds_like_it(name: str, most_missed: float, most_taken: float) -> None:
    lines = asked.read(name)
    heard, taken = asked.shares(lines, dict(asked.TABLES)[name])
    assert heard >= 1 - most_missed
    assert taken <= most_taken
    assert {one.language for one in lines if not one.wanted} >= LANGUAGES


@pytest.mark.parametrize(("groups", "size"), [(4, 4), (1, 16)])
def test_a_password_of_sixteen_letters_is_hardly_ever_taken_for_talk(groups: int, size: int) -> None:
    rng = random.Random(7)
    made = [" ".join("".join(rng.choices(string.ascii_lowercase, k=size)) for _ in range(groups)) for _ in range(2_000)]
    missed = [one for one in made if keys.find_key(one, keys.PASSWORD) is None]
    assert len(missed) / len(made) < 0.02


@pytest.mark.parametrize(
    ("text", "itself"), [("draw yourself", True), ("zeig mir, wie du aussiehst", True), ("draw me a cat", False)]
)
def test_a_picture_of_the_companion_is_told_from_others(text: str, itself: bool) -> None:
    assert is_picture_request(text)
    assert is_about_itself(text) is itself
