"""Two who talked yesterday, something that waiting to be said, and a model that finds the words."""

from __future__ import annotations

import dataclasses
from datetime import timedelta
from typing import Any

import pytest

from furoshiki.core.setting_rows import SecretStr
from furoshiki.messages.store import accounts, turns
from furoshiki.messages.values import COMPANION, USER, NewTurn
from furoshiki.models.llm.structured import ask_typed
from furoshiki.models.llm.values import Answer, Question
from furoshiki.owner.agenda.rules.mind_queue import Waiting
from furoshiki.world import World
from tests.support.world import START, Script

HARBOUR = Waiting(3, "follow_up", 3, "Ask how the first day at the harbour went", key="k:3")
NOTED = Waiting(3, "follow_up", 3, "first day at the harbour on Monday: ask how it went", key="k:3")
"""As rules note it."""

COUNT = Waiting(5, "delegation", 2, "May I count on this for good: \u201cThey work at the harbour.\u201d?", key="k:5")


@pytest.fixture
def talked(world: World, model: Script) -> World:
    """Two who talked yesterday. What a model says goes through the real validation, and a reader finds it all told."""
    model.reads_all = "supported"

    async def ask(question: Question, on_text: Any = None) -> Answer:
        return await ask_typed(question, model)

    with world.database.write() as db:
        accounts.pair(db, "telegram", "7", "7", "owner", world.now, "Noor")
    says(world, "long day. the new job at the harbour starts monday, the crane scares me")
    says(world, "Did anybody show you how it is done?", COMPANION)
    settings = world.settings.model_copy(update={"telegram_bot_token": SecretStr("1:t")})
    return dataclasses.replace(world, ask=ask, settings=settings)


def says(world: World, text: str, speaker: str = USER, channel: str = "telegram", **ago: float) -> int:
    at = START - timedelta(**(ago or {"hours": 22}))
    with world.database.write() as db:
        return turns.add(db, NewTurn("s", channel, "7", speaker, text, at))
