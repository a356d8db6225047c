"""The profile in full reaches the prompt: once a session, as much as has room, and nothing twice."""

from __future__ import annotations

from furoshiki.language.tokens import estimate
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from furoshiki.mind.inner_life import standing_prompt
from furoshiki.owner.user_model.rules.profile import Profile, Statement, reference_text, within
from furoshiki.owner.user_model.store import profiles
from furoshiki.world import World
from tests.support.rows import user_said
from tests.support.world import FrozenClock, Human, Script


def learned(world: World, text: str) -> int:
    with world.database.write() as db:
        return memories.add(db, NewMemory("semantic", text, (turns.add(db, user_said(text)),)), world.now)


def written(world: World, *reference: Statement) -> None:
    with world.database.write() as db:
        profiles.put(db, Profile((Statement("other", "They build boats.", (1,)),), reference), "i", "rule", world.now)


def prompt(model: Script) -> str:
    return "\n".join(block.text for block in model.questions[-1].system)


async def test_the_full_profile_stands_in_the_prompt_with_its_facts(human: Human, model: Script) -> None:
    world = human.world
    allergy, boat = learned(world, "They are allergic to nuts."), learned(world, "They own a red boat.")
    build = Statement("skill", "They build boats.", (1,))
    written(world, Statement("health", "They must not eat nuts.", (allergy,)), build)
    await human.says("good evening")
    shown = prompt(model)
    assert f"Health:\n- They must not eat nuts. [memory:{allergy}]" in shown
    assert shown.count("They build boats.") == 1, "the short form says it already"
    assert "They are allergic to nuts." not in shown, "what the profile says is not said again"
    assert f"[memory:{boat} ·" in shown, "what it does not say is"


async def test_it_stays_as_it_is_for_a_session(human: Human, model: Script, clock: FrozenClock) -> None:
    world = human.world
    held = learned(world, "They are allergic to nuts.")
    written(world, Statement("health", "They must not eat nuts.", (held,)))
    await human.says("good evening")
    first = prompt(model)
    written(world, Statement("health", "No nuts for them.", (held,)))
    clock.pass_(minutes=1)
    await human.says("and now?")
    assert prompt(model) == first, "so that a provider need not read it again"
    clock.pass_(hours=5)
    await human.says("good night")
    assert "No nuts for them." in prompt(model)


async def test_a_long_one_is_cut_to_its_room_and_no_section_goes_without(human: Human, model: Script) -> None:
    world = human.world
    held = learned(world, "They are allergic to nuts.")
    many = [Statement("plan", f"They mean to see the lighthouse number {number}.", (held,)) for number in range(200)]
    written(world, *many, Statement("other", "They whistle.", (held,)))
    await human.says("good evening")
    shown = prompt(model)
    assert "They whistle." in shown and "lighthouse number 3." in shown and "lighthouse number 150." not in shown
    _, _, after = shown.partition("More of what you know")
    assert estimate(after) < standing_prompt.REFERENCE_TOKENS + standing_prompt.FACTS_TOKENS + 100


def test_within_keeps_the_order_and_the_room() -> None:
    held = [Statement("plan", f"Plan {one}.", (one,)) for one in range(20)] + [Statement("other", "Other.", (99,))]
    chosen = within(held, 60)
    assert chosen[0] == held[0] and chosen[-1] == held[-1] and 2 < len(chosen) < 20
    assert estimate(reference_text(chosen)) <= 60
    assert within(held, 0) == () and within(held, 10_000) == tuple(held)
