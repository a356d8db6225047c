"""Whose words moved the companion, as the prompt says it."""

from __future__ import annotations

from tests.support.world import FrozenClock, Human, Script

SCARED = "I am so scared, my dad is in hospital and I am really worried"


async def test_the_message_that_changed_the_mood_is_named_and_no_later_one(
    human: Human, model: Script, clock: FrozenClock
) -> None:
    await human.says("hello there")
    clock.pass_(minutes=0.2)
    await human.says("the van comes on tuesdays")
    assert "You have been so since" not in model.turn_words, "nothing was felt in what they wrote"
    clock.pass_(minutes=5)
    await human.says(SCARED)
    assert "What moves you is what they have just written: they sound worried." in model.turn_words
    clock.pass_(minutes=0.3)
    await human.says("what have i got on this week")
    clock.pass_(minutes=0.3)
    await human.says("and on thursday")
    assert f", when they wrote: {SCARED[:30]}" in model.turn_words
