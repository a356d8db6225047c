"""What is rolled, and what is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import dice
import pytest


def loaded(*faces: int) -> Callable[[int], int]:
    """A die that shows these faces one after the other."""
    left = list(faces)
    return lambda sides: left.pop(0)


@pytest.mark.parametrize(
    ("notation", "faces", "said"),
    [
        ("3d6+2", (4, 1, 6), "3d6+2: [4, 1, 6] + 2 = 13"),
        ("d20", (17,), "d20: [17] = 17"),
        ("2d8 + 1d6 - 1", (8, 3, 5), "2d8 + 1d6 - 1: [8, 3] + [5] - 1 = 15"),
        ("4d6kh3", (2, 6, 2, 5), "4d6kh3: [2, 6, (2), 5] = 13"),
        ("2d20kl1", (12, 4), "2d20kl1: [(12), 4] = 4"),
        ("-1D4+D%", (3, 77), "-1D4+D%: - [3] + [77] = 74"),
    ],
)
def test_a_roll_shows_each_die_and_the_sum(notation: str, faces: tuple[int, ...], said: str) -> None:
    assert dice.thrown(notation, loaded(*faces)) == said


def test_with_advantage_the_better_of_two_counts() -> None:
    assert dice.thrown("d20", loaded(3, 15), "advantage") == (
        "d20 with advantage: 15 (first [3] = 3, second [15] = 15)"
    )
    assert dice.thrown("d20+1", loaded(3, 15), "disadvantage").startswith("d20+1 with disadvantage: 4 ")


@pytest.mark.parametrize(
    ("notation", "why"),
    [
        ("three dice", "is no roll of dice; write it as"),
        ("", "there is no die"),
        ("7", "there is no die"),
        ("3d6 2d6", "is no roll"),
        ("101d6", "1 to 100 dice"),
        ("1d1", "of 2 to 1,000 sides"),
        ("1d1001", "1,000 sides"),
        ("9" * 5000 + "d6", "too much"),
        ("d6+" + "9" * 5000, "too large"),
        ("60d6+60d6", "too much to roll at once"),
        ("+".join(["d6"] * 11), "too much to roll at once"),
        ("3d6kh4", "of 3 dice 1 to 3 can count"),
    ],
)
def test_what_cannot_be_rolled_is_said_with_what_to_write(notation: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        dice.thrown(notation, loaded())


def test_coins_and_draws() -> None:
    assert dice.flipped(1, loaded(2)) == "a coin: tails"
    assert dice.flipped(3, loaded(1, 2, 1)) == "3 coins: 2 heads, 1 tails (heads, tails, heads)"
    assert dice.drawn(["Ann", "Ben"], loaded(2)) == "drawn out of 2: Ben"


def test_the_faces_are_as_likely_as_each_other() -> None:
    """Were they, each of six would come 1,000 times in 6,000; one in a thousand million such tries is this far off."""
    import secrets

    seen = Counter(dice.roll(dice.parse("d6"), lambda sides: secrets.randbelow(sides) + 1)[0] for _ in range(6000))
    assert set(seen) == {1, 2, 3, 4, 5, 6}
    assert all(abs(count - 1000) < 200 for count in seen.values())
