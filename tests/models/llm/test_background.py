"""Typed questions of scripts: silence is to cost next to nothing."""

from __future__ import annotations

from datetime import timedelta

import pytest

from furoshiki.messages.store import turns
from furoshiki.models.llm.background import Unanswered, ask_mind
from furoshiki.models.llm.values import Message, Question, Tier
from furoshiki.world import World
from tests.support.rows import user_said
from tests.support.world import Script


@pytest.mark.parametrize(
    ("hours", "tier", "asked"),
    [
        (2, "reflect", "reflect"),
        (23, "deep", "deep"),
        (24, "reflect", "fast"),
        (300, "deep", "fast"),
        (300, "micro", "micro"),
        (None, "reflect", "fast"),
    ],
)
async def test_when_nothing_was_said_for_a_day_a_cheap_tier_is_asked(
    world: World, model: Script, hours: float | None, tier: Tier, asked: Tier
) -> None:
    if hours is not None:
        with world.database.write() as db:
            turns.add(db, user_said("hello", world.now - timedelta(hours=hours)))
    question = Question(tier, "profile", (), (Message("user", "?"),))
    answer = await ask_mind(world, question, world.now, "failed", {})
    assert not isinstance(answer, Unanswered)
    assert [one.tier for one in model.questions] == [asked]
