"""A greeting of a time of day is given back as it was said, whatever the clock says."""

from __future__ import annotations

import random

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from tests.support.world import FrozenClock, Human, Script


@pytest.mark.parametrize("seed", range(6))
async def test_good_morning_is_not_answered_good_evening(
    human: Human, model: Script, clock: FrozenClock, seed: int
) -> None:
    mind = ReflexMind(random.Random(seed))
    model.lines = [lambda question: mind(question, why="no-model")] * 3
    clock.pass_(minutes=7 * 60)  # 22:00
    assert "evening" not in " ".join(await human.says("good morning"))
    assert "evening" not in " ".join(await human.says("morning!"))


@pytest.mark.parametrize(
    ("said", "answered"),
    [
        ("guten morgen", "Guten Morgen"),
        ("Guten Abend!", "Guten Abend"),
        ("buenos dias", "¡Buenos días"),
        ("bonsoir", "Bonsoir"),
        ("bom dia!", "Bom dia"),
        ("доброе утро", "Доброе утро"),
        ("gunaydin", "Günaydın"),
        ("iyi akşamlar", "İyi akşamlar"),
        ("buonasera", "Buonasera"),
        ("早上好", "早上好"),
    ],
)
async def test_it_is_given_back_as_it_was_said(human: Human, model: Script, said: str, answered: str) -> None:
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 3
    for _ in range(2):  # at the first meeting, and later
        [answer] = await human.says(said)
        assert answer.startswith(answered)
