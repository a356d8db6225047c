"""What goes on all the time: cheap, without a model or memoryd, and the same however often it is done."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from furoshiki.memory import concepts
from furoshiki.memory.store import accesses, links, memories, retrievals
from furoshiki.memory.store import concepts as concept_store
from furoshiki.memory.store.retrievals import Retrieval
from furoshiki.memory.values import NewMemory
from furoshiki.mind.consolidation import co_activation, due, light
from tests.support.consolidating import Night


def used_together(night: Night, *rows: int, key: str = "t1") -> None:
    with night.world.database.write() as db:
        found = [Retrieval(f"memory:{row}", rank, True, True) for rank, row in enumerate(rows, 1)]
        retrievals.record(db, key, found, night.clock.at)
        accesses.record(db, rows, night.clock.at)
        accesses.together(db, rows, night.clock.at)


def partners(night: Night, row: int) -> list[tuple[int, float]]:
    with night.world.database.read() as db:
        return accesses.partners(db, row, 5)


def why(night: Night) -> str | None:
    with night.world.database.read() as db:
        return due.consolidate_light(db, night.clock.at)


def test_a_pass_does_all_of_it_and_a_second_one_nothing_more(night: Night) -> None:
    old, other = night.keep("Ana plays the violin.", days_ago=10), night.keep("Ana has a boat.", days_ago=10)
    used_together(night, old, other)
    night.keep("They row.", days_ago=5)
    night.clock.pass_(minutes=1)
    done = light.run(night.world)
    assert done.did
    assert dict(done.data) == {"faded": 1, "closer": 1, "contested": [], "read": 3}
    before = night.everything()
    again = light.run(night.world)
    assert not again.did
    assert night.everything() == before
    assert night.model.questions == []


def test_of_use_together_they_grow_closer_once(night: Night) -> None:
    first, second, third = (night.keep(text) for text in ("They row.", "They sing.", "They swim."))
    used_together(night, first, second)
    with night.world.database.write() as db:
        retrievals.record(db, "t1", [Retrieval(f"memory:{third}", 3, True, False)], night.clock.at)
    assert co_activation.strengthen(night.world, night.cycle) == 1
    assert co_activation.strengthen(night.world, night.cycle) == 0
    assert partners(night, first) == [(second, 1.5)]
    night.clock.pass_(hours=1)
    used_together(night, first, second, key="t2")
    light.run(night.world)
    assert partners(night, first) == [(second, 3.0)]


def test_those_who_no_longer_meet_drift_apart_by_the_weeks_that_passed(night: Night) -> None:
    first, second = night.keep("They row."), night.keep("They sing.")
    used_together(night, first, second)
    night.clock.pass_(days=90)
    assert co_activation.drift(night.world, night.cycle) == {"drifted": 1}
    assert partners(night, first) == [(second, pytest.approx(0.5))]
    assert co_activation.drift(night.world, night.cycle) == {"drifted": 0}
    for _ in range(18):
        night.clock.pass_(days=5)
        co_activation.drift(night.world, night.cycle)
    assert partners(night, first) == [(second, pytest.approx(0.25))]
    night.clock.pass_(days=400)
    co_activation.drift(night.world, night.cycle)
    assert partners(night, first) == []


def test_two_that_contradict_each_other_are_contested_once(night: Night) -> None:
    old = night.keep("The user loves coffee.", days_ago=3)
    new = night.keep("The user hates coffee.", days_ago=1)
    found = light.run(night.world)
    assert found.data["contested"] == [old, new]
    assert [night.weight(one).beta for one in (old, new)] == pytest.approx([4.5, 4.5], abs=0.03)
    with night.world.database.read() as db:
        [link] = links.links_of(db, old)
    assert (link.from_id, link.to_id, link.relation) == (new, old, "contradicts")
    for _ in range(3):
        assert light.run(night.world).data["contested"] == []
    assert [night.weight(one).beta for one in (old, new)] == pytest.approx([4.5, 4.5], abs=0.03)


def test_of_a_moment_the_words_themselves_are_judged(night: Night) -> None:
    said = "My best friend Tom is a carpenter"
    night.keep(f"They said: “{said}.”", "episodic", days_ago=3, category="moment", metadata={"words": f"{said}."})
    night.keep("The user's friend is called Tom", days_ago=1)
    judged: list[tuple[str, str]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(light, "measure_by_rule", lambda *pair: judged.append(pair))
        light.run(night.world)
    assert judged == [(f"{said}.", "my friend is called Tom")]


def test_what_was_told_in_one_breath_or_among_others_is_no_contradiction(night: Night) -> None:
    """“There's a cradle … She doesn't know” stood against the cradle, and “None of them” against the baby."""
    words = "There's a cradle under the bench. She doesn't know about the cradle. No, none of them asked."
    told = night.keep(f"They said: “{words}”", "episodic", days_ago=1, category="moment", metadata={"words": words})
    with night.world.database.write() as db:
        [moment] = memories.of_ids(db, [told])
        for text in ("A cradle lies under the bench.", "Bess does not know about the cradle."):
            memories.add(db, NewMemory("semantic", text, moment.turn_ids), night.clock.at)
    for seed in range(20):
        assert light.run(replace(night.world, rng=random.Random(seed))).data["contested"] == []


def test_what_has_nothing_to_do_with_each_other_is_not_contested(night: Night) -> None:
    for text in ("The user loves coffee.", "Ana hates the rain.", "They row on the river."):
        night.keep(text)
    for seed in range(10):
        assert light.run(replace(night.world, rng=random.Random(seed))).data["contested"] == []


def test_nothing_to_remember_is_nothing_to_do(night: Night) -> None:
    assert why(night) is None
    assert not light.run(night.world).did


def test_it_is_worth_it_for_new_memories_for_use_and_for_days(night: Night) -> None:
    row = night.keep("They row.")
    other = night.keep("They sing.")
    assert why(night) == "there are new memories"
    light.run(night.world)
    night.clock.pass_(minutes=5)
    night.keep("They swim.")
    assert why(night) is None, "it has just been"
    night.clock.pass_(minutes=15)
    assert why(night) == "there are new memories"
    light.run(night.world)
    night.clock.pass_(hours=1)
    assert why(night) is None
    used_together(night, row, other)
    assert why(night) == "memories were of use"
    light.run(night.world)
    night.clock.pass_(days=1)
    assert why(night) == "a day has passed"


def test_what_has_much_in_common_comes_to_mind_first(night: Night) -> None:
    violin = night.keep("Ana plays the violin in the orchestra.")
    concert = night.keep("The orchestra gave a concert with Ana.")
    boat = night.keep("Ana owns a boat.")
    night.keep("They collect stamps.")
    harbour = night.keep("The boat lies in the harbour.")
    light.run(night.world)
    with night.world.database.read() as db:
        near = concepts.find_associated(db, [violin], now=night.clock.at)
        further = concepts.find_associated(db, [violin], 2, now=night.clock.at)
        assert concepts.find_associated(db, [], 2, now=night.clock.at) == []
    assert [row for row, _ in near] == [concert, boat]
    assert near[0][1] > near[1][1] > 0
    assert harbour in [row for row, _ in further]
    assert harbour not in [row for row, _ in near]


def test_what_comes_up_and_what_goes_quiet(night: Night) -> None:
    for number in range(4):
        night.keep(f"The garden needs water {number}.", days_ago=40)
    for number in range(4):
        night.keep(f"The hospital called {number}.", days_ago=1)
    light.run(night.world)
    assert concepts.tidy(night.world, night.cycle)["unheld"] == 0
    with night.world.database.read() as db:
        found = concepts.themes(db)
    assert (found.rising[0], "garden" in found.fading, found.distance) == ("hospital", True, 1)


def test_a_concept_nobody_holds_goes_in_the_night(night: Night) -> None:
    row = night.keep("The hospital called.")
    light.run(night.world)
    night.do("DELETE FROM memories WHERE id=?", row)
    assert concepts.tidy(night.world, night.cycle)["unheld"] == 1
    assert night.ask("SELECT count(*) FROM concepts") == [(0,)]


def test_many_memories_are_read_in_parts(night: Night, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concepts, "AT_ONCE", 2)
    rows = [night.keep(f"The boat {name}.") for name in ("sails", "rests", "leaks")]
    assert light.run(night.world).data["read"] == 2
    assert light.run(night.world).data["read"] == 1
    with night.world.database.read() as db:
        [boat] = [one for one in concept_store.of_memories(db, rows)[rows[0]] if one.name == "boat"]
        assert boat.seen == 3
