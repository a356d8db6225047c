"""How this person likes to be spoken to, through real turns: what is learned of it, and what the mind is told."""

from __future__ import annotations

from furoshiki.domain.style.traits import Trait
from furoshiki.storage import style as kept
from furoshiki.world import World
from tests.mind.conftest import FrozenClock, Human


def traits(world: World) -> dict[str, Trait]:
    with world.store.read() as db:
        return kept.traits(db)


async def test_each_turn_is_one_observation_of_each_dimension(world: World, human: Human, clock: FrozenClock) -> None:
    await human.says("hello there, how is the evening going for you?")
    assert {name: one.observations for name, one in traits(world).items()} == {
        "verbosity": 1,
        "directness": 1,
        "formality": 1,
        "emotional_valence": 1,
        "energy": 1,
    }
    clock.pass_(seconds=20)
    await human.says("fine here")
    assert traits(world)["verbosity"].observations == 2
    assert traits(world)["pacing"].observations == 1
