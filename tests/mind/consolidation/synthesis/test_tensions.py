"""Where what is done speaks against what is valued: noticed, resolved when it is over, and never rubbed in."""

from __future__ import annotations

from typing import Any

import pytest

from furoshiki.memory import weighing
from furoshiki.memory.store import memories
from furoshiki.memory.store.retrievals import Retrieval
from furoshiki.messages.store import turns
from furoshiki.messages.values import COMPANION, NewTurn
from furoshiki.mind.consolidation import decay, memory_feedback, promotion
from furoshiki.mind.consolidation.synthesis import tensions
from tests.support.nights_tensions import ACT, VALUE
from tests.support.thinking import Night


def tension(value: int, acts: list[int], strength: float = 0.8) -> dict[str, Any]:
    return {"value": value, "acts": acts, "strength": strength}


@pytest.fixture
def conduct(night: Night) -> Night:
    """1 is valued, 2 is not that much, 3 and 4 were done."""
    night.learns(VALUE, "They like rain.", type_="preference")
    night.learns(ACT, "They took an umbrella.")
    night.weighs(1, 8.0, 2.0)
    return night


async def test_a_tension_says_both_in_their_own_words_and_has_no_bonus(conduct: Night) -> None:
    conduct.says({"tensions": [tension(1, [3])]})
    counts = await tensions.step(conduct.world, conduct.cycle)
    assert counts == {"new": 1, "again": 0, "refused": 0, "resolved": 0}
    (held,) = conduct.all("tension")
    assert held.content == f"Values “{VALUE[:-1]}”, acts “{ACT[:-1]}”"
    assert (held.alpha, held.beta, held.turn_ids) == (1.0, 4.0, (1, 3))
    assert held.metadata["surfaced"] == 0
    assert conduct.links == [(held.id, "informed_by", 1), (held.id, "informed_by", 3)]
    assert "They like rain" not in conduct.model.last_words.partition("Done")[0]  # 0.2 is no value


async def test_the_same_conduct_is_looked_at_once_and_more_of_it_joins_the_tension(conduct: Night) -> None:
    conduct.says({"tensions": [tension(1, [3])]})
    await tensions.step(conduct.world, conduct.cycle)
    before = conduct.everything
    assert "skipped" in await tensions.step(conduct.world, conduct.cycle)
    assert conduct.everything == before
    (new,) = conduct.learns("They missed dinner with Mira on Friday.")
    conduct.says({"tensions": [tension(1, [new])]})
    assert (await tensions.step(conduct.world, conduct.cycle))["again"] == 1
    (held,) = conduct.all("tension")
    assert held.metadata["acts"] == [3, new] and conduct.get(new).turn_ids[0] in held.turn_ids


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (tension(2, [3]), "no valued memory 2"),
        (tension(99, [3]), "no valued memory 99"),
        (tension(1, [98]), "no act 98"),
        (tension(1, [1]), "no act 1"),
        (tension(1, []), "names nothing"),
        (tension(1, [4]), "a reader"),
        (tension(1, [3], 0.2), "everyday life"),
    ],
)
async def test_what_is_no_tension_is_refused(conduct: Night, found: dict[str, Any], reason: str) -> None:
    strange = f"It speaks against what they value ({VALUE[:-1]}) that this was done: They took an umbrella."
    conduct.model.readings = {strange: "not supported"}
    conduct.says({"tensions": [found]})
    assert (await tensions.step(conduct.world, conduct.cycle))["refused"] == 1
    assert conduct.all("tension") == []
    assert reason in conduct.refused[0][1]


async def test_after_five_times_unresolved_it_is_acknowledged_and_comes_up_no_more(conduct: Night) -> None:
    conduct.says({"tensions": [tension(1, [3])]})
    await tensions.step(conduct.world, conduct.cycle)
    (held,) = conduct.all("tension")
    for times in range(1, 8):
        with conduct.world.database.write() as db:
            acknowledged = tensions.record_surfacing(db, [held.id, 1, 999], conduct.clock.at)
        assert acknowledged == ([held.id] if times == tensions.FATIGUE else [])
        now = conduct.get(held.id)
        assert now.status == ("active" if times < tensions.FATIGUE else "dormant")
    assert now.metadata["surfaced"] == tensions.FATIGUE and now.metadata["acknowledged"] is True
    assert conduct.get(1).metadata == {}
    conduct.learns("They bought a kite.")
    conduct.says({"tensions": [tension(1, [3])]})
    await tensions.step(conduct.world, conduct.cycle)
    assert conduct.get(held.id).status == "dormant"  # nothing has changed about it


async def test_it_is_resolved_when_one_side_holds_no_more(conduct: Night) -> None:
    conduct.says({"tensions": [tension(1, [3])]})
    await tensions.step(conduct.world, conduct.cycle)
    with conduct.world.database.write() as db:
        memories.close(db, 3, conduct.clock.at)
    conduct.says({"tensions": []})
    assert (await tensions.step(conduct.world, conduct.cycle))["resolved"] == 1
    (held,) = conduct.all("tension")
    assert held.status == "superseded" and held.metadata["resolved"] is True


async def test_it_tires_by_coming_up_in_turns_and_each_turn_counts_once(conduct: Night) -> None:
    conduct.says({"tensions": [tension(1, [3])]})
    await tensions.step(conduct.world, conduct.cycle)
    (held,) = conduct.all("tension")
    for number in range(tensions.FATIGUE):
        assert conduct.get(held.id).status == "active"
        woken = [Retrieval(f"memory:{held.id}", 1, True), Retrieval("memory:3", 2, False)]
        with conduct.world.database.write() as db:
            memory_feedback.leave(db, f"inbox:{number}", woken, None, [], conduct.clock.at)
        assert memory_feedback.settle(conduct.world, f"inbox:{number}")
        assert not memory_feedback.settle(conduct.world, f"inbox:{number}")
        assert conduct.get(held.id).metadata["surfaced"] == number + 1
    assert conduct.get(held.id).status == "dormant"


USES = 60
"""How often a value came to mind, over two months."""

BESIDES = 60
"""Turns of a day that are about something else: what every answer says gives the use of nothing away."""


async def test_a_value_that_was_lived_by_for_two_months_comes_into_tension_with_what_is_done(night: Night) -> None:
    """Nothing is set by hand: it weighs what use and promotion made of it."""
    world, (value,) = night.world, night.learns("They like early mornings.", type_="preference")
    for number in range(USES):
        night.clock.pass_(days=1)
        with world.database.write() as db:
            key = f"inbox:{number}"
            said = "The early train, then: you like early mornings."
            turns.add(db, NewTurn("s1", "console", "me", COMPANION, said, world.now, turn_key=key))
            for _ in range(BESIDES):
                turns.add(db, NewTurn("s1", "console", "me", COMPANION, "Good.", world.now))
            memory_feedback.leave(db, key, [Retrieval(f"memory:{value}", 1, True)], None, [], world.now)
        assert memory_feedback.settle(world, key)
        promotion.step(world, weighing.cycle(world, "deep"))
        decay.fade(world, weighing.cycle(world, "light"))
    held = night.get(value)
    assert held.alpha / (held.alpha + held.beta) > tensions.VALUED_ABOVE
    (act,) = night.learns("They dislike early mornings.")
    night.says({"tensions": [tension(value, [act])]})
    counts = await tensions.step(world, night.cycle)
    assert counts["new"] == 1
    [found] = night.all("tension")
    assert "They like early mornings" in found.content and "They dislike early mornings" in found.content
