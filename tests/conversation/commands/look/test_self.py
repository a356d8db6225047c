"""/self: who the companion says it is, what changed and why, and two buttons for what it may not decide alone."""

from __future__ import annotations

from furoshiki.mind.inner_life.self_model import description
from furoshiki.mind.inner_life.store import drift
from furoshiki.world import World
from tests.support.looks import NEW, looked
from tests.support.world import Human


async def test_in_the_chat_a_proposal_has_two_buttons(world: World, human: Human) -> None:
    assert "I am new here." in (await human.says("/self"))[0]
    looked(world.database, NEW, "proposed")
    assert "up to you: /self" in (await human.says("/status"))[0]
    [shown] = await human.says("/self")
    assert f"+ {NEW}" in shown
    with world.database.read() as db:
        assert drift.proposal(db) is not None
    assert "that is who I am" in (await human.says("", kind="callback", data="self.accept:1"))[0]
    assert NEW in description.text(world)
    assert await human.says("", kind="callback", data="self.decline:1") == ["That is already decided."]
    assert description.text(world).endswith(NEW)
    assert f"+ {NEW}" in (await human.says("/self diff"))[0]
    assert "up to you: /self" not in (await human.says("/status"))[0]
