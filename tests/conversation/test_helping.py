"""When somebody may be in danger a model is told so, with the numbers of the country they are in."""

from __future__ import annotations

import pytest

from tests.support.world import Human, Script


def told(model: Script) -> str:
    last = model.questions[-1].messages[-1]
    return last.text


@pytest.mark.parametrize("said", ["I don't want to live anymore", "mein Mann schl\u00e4gt mich", "my dad collapsed"])
async def test_a_model_is_given_the_numbers_of_the_country(human: Human, model: Script, said: str) -> None:
    await human.says(said)
    assert "In an emergency: 112" in told(model)
    assert "1411" in told(model)  # Lisbon


async def test_they_stay_at_hand_for_what_is_said_next(human: Human, model: Script) -> None:
    await human.says("he hits me")
    await human.says("I don't know")
    assert "800 202 148" in told(model)


async def test_what_only_sounds_so_brings_none(human: Human, model: Script) -> None:
    model.lines = ["Noted."]
    await human.says("this traffic is killing me")
    assert "emergency" not in told(model)
