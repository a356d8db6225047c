"""Kept twice, it becomes one memory that has everything both had; alike but different, both stay."""

from __future__ import annotations

from datetime import timedelta

import pytest

from furoshiki.memory.store import accesses, concepts, links, memories
from furoshiki.mind.consolidation import duplicates
from tests.support.consolidating import Night, days
from tests.support.encoders import WordEncoder

TEA = "They drink green tea in the garden every morning."
TEA_AGAIN = "They drink green tea in the garden every single morning."


def test_the_oldest_inherits_everything_and_the_other_is_kept(night: Night) -> None:
    old, other = night.keep(TEA, days_ago=20), night.keep("They have a garden.", days_ago=20)
    new = night.keep(TEA_AGAIN, days_ago=1, alpha=3.0, beta=6.0, hit_count=2)
    at = night.clock.at
    with night.world.database.write() as db:
        accesses.record(db, [old], at - days(9))
        accesses.record(db, [new], at - days(1))
        accesses.together(db, [new, other], at - days(1))
        links.link(db, other, new, "because", 0.7, at)
        concepts.see(db, new, ["tea"], at)
    night.embed()
    assert duplicates.remove_duplicates(night.world, night.cycle) == {"merged": 1}

    kept, gone = night.get(old), night.get(new)
    assert (kept.status, gone.status) == ("active", "archived")
    assert kept.turn_ids == (1, 3)
    assert (kept.access_count, kept.hit_count) == (2, 3)
    assert kept.last_accessed_at == at - days(1)
    assert kept.alpha > 1.7
    assert kept.beta == 6
    with night.world.database.read() as db:
        assert accesses.times(db, old) == [at - days(9), at - days(1)]
        assert accesses.partners(db, old, 5) == [(other, 1.0)]
        assert accesses.partners(db, new, 5) == []
        assert links.list_targets(db, old, "supersedes") == [new]
        assert links.list_targets(db, other, "because") == [new, old]
        assert [one.name for one in concepts.of_memories(db, [old])[old]] == ["tea"]
        assert [one.id for one in memories.read_known(db)] == [old, other]


def test_merged_twice_it_changes_nothing_more(night: Night) -> None:
    for text in (TEA, TEA_AGAIN, TEA):
        night.keep(text)
    night.embed()
    assert duplicates.remove_duplicates(night.world, night.cycle) == {"merged": 2}
    before = night.everything()
    assert duplicates.remove_duplicates(night.world, night.cycle) == {"merged": 0}
    night.do("DELETE FROM kv WHERE key='merging.to'")
    assert duplicates.remove_duplicates(night.world, night.cycle) == {"merged": 0}
    assert night.everything() == before
    assert [one.status for one in map(night.get, (1, 2, 3))] == ["active", "archived", "archived"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("They planted 3 apple trees in the old garden.", "They planted 4 apple trees in the old garden."),
        ("Ana planted apple trees in the old garden.", "Bea planted apple trees in the old garden."),
        ("They drink green tea with milk every day.", "They never drink green tea with milk every day."),
    ],
)
def test_a_detail_keeps_both(night: Night, first: str, second: str) -> None:
    rows = [night.keep(first), night.keep(second)]
    night.embed()
    with night.world.database.read() as db:
        assert duplicates.clusters(db) == [rows], "they are near"
    assert duplicates.remove_duplicates(night.world, night.cycle) == {"merged": 0}


def test_a_fact_of_another_object_stays(night: Night) -> None:
    fact = {"subject": "user", "predicate": "likes"}
    night.keep("They like the band that plays on Fridays.", "preference", object="jazz", **fact)
    night.keep("They like the band that plays on Fridays.", "preference", object="folk", **fact)
    night.embed()
    assert duplicates.remove_duplicates(night.world, night.cycle) == {"merged": 0}


def test_only_one_type_is_compared_and_boundaries_are_left_alone(night: Night) -> None:
    night.keep(TEA)
    night.keep(TEA, "episodic")
    night.keep("I never lie.", "reflection", immutable=True)
    night.keep("I never lie.", "reflection")
    night.embed()
    assert duplicates.remove_duplicates(night.world, night.cycle) == {"merged": 0}


def test_the_same_on_another_day_is_another_moment(night: Night) -> None:
    for number in (1, 8):
        night.keep("We had dinner by the river.", "episodic", event_time=night.clock.at - days(number))
    night.embed()
    assert duplicates.remove_duplicates(night.world, night.cycle) == {"merged": 0}


def test_what_had_no_vector_is_compared_when_it_has_one(night: Night) -> None:
    night.keep(TEA)
    night.embed()
    night.keep(TEA_AGAIN)
    assert duplicates.remove_duplicates(night.world, night.cycle) == {"merged": 0}
    night.embed()
    assert duplicates.remove_duplicates(night.world, night.cycle) == {"merged": 1}


def test_another_encoder_compares_everything_again(night: Night) -> None:
    night.keep("They planted trees.")
    night.keep("They planted trees!")
    night.do("UPDATE memories SET index_state='failed' WHERE id=1")
    night.embed()
    assert duplicates.remove_duplicates(night.world, night.cycle) == {"merged": 0}
    night.do("UPDATE memories SET index_state='pending', embedding=NULL, embed_model=NULL")
    night.encoder = WordEncoder("words.2")
    night.embed()
    assert duplicates.remove_duplicates(night.world, night.cycle) == {"merged": 1}


def test_nothing_is_compared_before_there_is_an_encoder(night: Night) -> None:
    night.keep(TEA)
    assert duplicates.remove_duplicates(night.world, night.cycle) == {"merged": 0}
    with night.world.database.read() as db:
        assert duplicates.clusters(db) == []


def test_clusters_lie_near_their_oldest_and_hold_nothing_concluded(night: Night) -> None:
    first = night.keep("They row on the wide river each summer evening with friends")
    night.keep("They collect stamps.")
    second = night.keep("They row on the wide river each summer evening with old friends")
    night.keep("They row on the wide river each summer evening with friends!", "reflection")
    night.embed()
    with night.world.database.read() as db:
        assert duplicates.clusters(db) == [[first, second]]


def test_a_pair_that_is_gone_meanwhile_is_left_alone(night: Night) -> None:
    first, second = night.keep(TEA), night.keep(TEA)
    night.do("UPDATE memories SET status='superseded' WHERE id=?", first)
    before = night.everything()
    with night.world.database.write() as db:
        from furoshiki.mind.consolidation.store import duplicates as duplicate_store

        assert not duplicate_store.inherit(db, first, second, night.clock.at + timedelta(days=1))
    assert night.everything() == before


def test_there_are_no_clusters_where_everything_told_is_over(night: Night) -> None:
    one = night.keep(TEA)
    night.embed()
    with night.world.database.write() as db:
        memories.close(db, one, night.clock.at)
        assert duplicates.clusters(db) == []
