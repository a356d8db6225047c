"""What stands in the prompt beside a message: how often a reminder comes, and nothing of an old trouble beside joy."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from furoshiki.feelings.rules.user_needs import UserNeed
from furoshiki.models.llm.values import ToolCall
from furoshiki.owner.user_model.rules.style_choosing import choose
from furoshiki.owner.user_model.rules.style_traits import Trait
from furoshiki.world import World
from tests.support.world import FrozenClock, Human, Script


async def test_a_reminder_that_comes_each_day_is_shown_and_confirmed_as_such(human: Human, model: Script) -> None:
    made = ToolCall("c", "schedule", {"action": "create", "what": "Mia's inhaler", "when": "every day at 19:30"})
    model.lines = [made, "Every day at 19:30.", "Mhm."]
    await human.says("remind me every day at 19:30 of Mia's inhaler")
    assert "19:30, every day at 19:30" in model.questions[1].messages[-1].text
    await human.says("and hello")
    assert "- Tuesday, 24 March 2026, 19:30, every day at 19:30: Mia's inhaler" in model.questions[-1].messages[-1].text


@pytest.mark.parametrize(("said", "heard"), [("he is back!! I'm so happy!!", False), ("he is at his father's", True)])
async def test_who_is_plainly_glad_needs_no_support_for_the_night_before_last(
    world: World, human: Human, model: Script, clock: FrozenClock, said: str, heard: bool
) -> None:
    hurt = UserNeed(0.95, 0.95, world.now)
    world.state.change(lambda beat: replace(beat, user_needs=beat.user_needs | {"emotional_support": hurt}))
    clock.at += timedelta(hours=30)
    model.lines = ["Mhm."]
    await human.says(said)
    assert ("They need to be heard" in model.questions[-1].messages[-1].text) is heard


def test_a_livelier_message_is_not_told_to_be_heavy_as_well(clock: FrozenClock) -> None:
    low = {"emotional_valence": Trait("emotional_valence", 1.0, 3.0, 40, clock.at)}
    assert "emotional-low" in choose(low, (), clock.at).slots
    assert choose(low, (), clock.at, energy="up").slots == ("energy-up",)
