"""The owner puts memories right: the old words are kept, the new ones say where they are known from."""

from __future__ import annotations

from datetime import timedelta

import pytest

from furoshiki.memory import correction
from furoshiki.memory.correction import NoSuchMemory
from furoshiki.memory.rules.weights import BOUNDARY, Weight
from furoshiki.memory.store import links, memories, weights
from furoshiki.memory.values import Memory, NewMemory
from furoshiki.messages.store import turns
from furoshiki.recall.retrieval.recall import recall
from furoshiki.world import World
from tests.support.commands import said


def fact(world: World, days_ago: int = 30) -> int:
    turn = said(world, "my sister Anika lives in Lisbon", at=world.now - timedelta(days=days_ago))
    with world.database.write() as db:
        held = memories.add(
            db,
            NewMemory(
                "semantic",
                "Their sister Anika lives in Lisbon.",
                (turn,),
                subject="Anika",
                predicate="lives_in",
                object="Lisbon",
                category="people",
                valid_from=world.now - timedelta(days=days_ago),
                compressed="Anika: Lisbon",
                importance=0.7,
                metadata={"kin": "sister"},
            ),
            world.now - timedelta(days=days_ago),
        )
        db.execute("UPDATE memories SET alpha=6, beta=3 WHERE id=?", (held,))
    return held


def get(world: World, memory_id: int) -> Memory:
    with world.database.read() as db:
        held = memories.get(db, memory_id)
    assert held is not None
    return held


def test_a_correction_stands_in_place_of_what_was_wrong(world: World) -> None:
    old_id = fact(world)
    done = correction.edit(world, old_id, "Their sister Anika lives in Porto.")
    old, new = get(world, old_id), get(world, done.new.id)
    assert (old.status, old.valid_to) == ("archived", old.valid_from), "it was true of no day"
    assert (new.subject, new.predicate, new.object) == ("Anika", "lives_in", "Porto")
    assert (new.valid_from, new.category, new.importance) == (old.valid_from, "people", 0.7)
    assert (new.alpha, new.beta) == (6, 3), "what was seen for it stays with it"
    assert new.source_tag == "owner" and "Porto" in (new.compressed or "") and done.fact
    assert new.metadata == {"kin": "sister", "corrects": old_id}
    with world.database.read() as db:
        assert links.list_targets(db, old_id, "updated_by") == [new.id]
        assert [change.operation for change in weights.history(db, new.id)] == ["edit"]
        assert memories.about(db, "Anika", "lives_in") == [new]


def test_both_versions_can_say_where_they_come_from(world: World) -> None:
    old_id = fact(world)
    new = correction.edit(world, old_id, "Their sister Anika lives in Porto.").new
    assert set(get(world, old_id).turn_ids) < set(new.turn_ids)
    with world.database.read() as db:
        typed = turns.get(db, max(new.turn_ids))
        last = turns.last_session(db)
    assert typed is not None and typed.text == "Their sister Anika lives in Porto." and typed.speaker == "user"
    assert last is not None and last[0] == "s1", "typing a correction is no talk with the companion"
    assert not [one for one in recall(world, "Anika Porto", k=10, now=world.now) if one.id == f"turn:{typed.id}"]


def test_what_was_wrong_is_found_no_more(world: World) -> None:
    old_id = fact(world)
    correction.edit(world, old_id, "Their sister Anika lives in Porto.")
    found = [one.id for one in recall(world, "where does Anika live", k=20, now=world.now)]
    assert f"memory:{old_id}" not in found and any(one.startswith("memory:") for one in found)


def test_a_change_ends_the_old_version_today(world: World) -> None:
    old_id = fact(world)
    new = correction.edit(world, old_id, "Their sister Anika lives in Porto.", changed=True).new
    old = get(world, old_id)
    assert (old.status, old.valid_to) == ("superseded", world.now) and new.valid_from == world.now


@pytest.mark.parametrize(
    ("text", "object_", "expected"),
    [
        ("Their sister Anika lives in Sao Paulo.", None, "Sao Paulo"),
        ("Anika, their sister, has moved to Porto.", None, None),
        ("Anika, their sister, has moved to Porto.", "Porto", "Porto"),
        ("Their sister Anika lives in .", None, None),
    ],
)
def test_the_value_of_a_fact_is_found_or_given_up(
    world: World, text: str, object_: str | None, expected: str | None
) -> None:
    done = correction.edit(world, fact(world), text, object_)
    assert (done.new.object, done.fact) == (expected, expected is not None)
    assert (done.new.subject is None) == (expected is None), "half a fact would be wrong"


def test_what_is_no_fact_stays_none(world: World) -> None:
    with world.database.write() as db:
        turn = turns.add(db, turns.NewTurn("s", "console", "me", "user", "no olives", world.now))
        held = memories.add(db, NewMemory("procedural", "No olives.", (turn,), immutable=True), world.now)
    done = correction.edit(world, held, "No olives, no capers.")
    assert done.fact and done.new.object is None and done.new.immutable
    assert (done.new.alpha, done.new.beta) == (BOUNDARY.alpha, BOUNDARY.beta)


def test_only_what_holds_can_be_changed(world: World) -> None:
    old_id = fact(world)
    new = correction.edit(world, old_id, "Their sister Anika lives in Porto.").new
    with pytest.raises(NoSuchMemory, match=f"is in the past and stays as it was: memory:{new.id} replaced it"):
        correction.edit(world, old_id, "Their sister Anika lives in Faro.")
    with pytest.raises(NoSuchMemory, match="no memory:99"):
        correction.pin(world, 99, True)
    with pytest.raises(NoSuchMemory, match="already says that"):
        correction.edit(world, new.id, " Their sister Anika  lives in Porto. ")
    with pytest.raises(NoSuchMemory, match="no new words"):
        correction.edit(world, new.id, "  ")
    with world.database.read() as db:
        assert memories.count(db) == 2, "what was refused left nothing behind"


def test_a_pinned_memory_goes_back_to_the_weight_it_had(world: World) -> None:
    held = fact(world)
    pinned = correction.pin(world, held, True)
    assert pinned.immutable and Weight(pinned.alpha, pinned.beta) == BOUNDARY
    again = correction.pin(world, held, True)
    assert again == pinned
    free = correction.pin(world, held, False)
    assert not free.immutable and (free.alpha, free.beta) == (6, 3)
    with world.database.read() as db:
        assert [one.operation for one in reversed(weights.history(db, held))] == ["pin", "unpin"]
