"""Looking over the memories: what stands out, and one of them whole."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from furoshiki.faces.overview.store import memory_lists
from furoshiki.faces.overview.store.memory_lists import Wanted
from furoshiki.memory import overview, values
from furoshiki.memory.rules.weights import BOUNDARY, Weight
from furoshiki.memory.store import accesses, links, memories, weights
from tests.support.recall import NOW, Memory


def learn(memory: Memory, text: str, type_: str = "semantic", days_ago: float = 0, **columns: Any) -> int:
    """A memory on record, with some columns as they are after a life."""
    turn = memory.say(text, days_ago=days_ago)
    at = NOW - timedelta(days=days_ago)
    with memory.database.write() as db:
        held = memories.add(db, values.NewMemory(type_, text, (turn,), subject=columns.pop("subject", None)), at)
        for name, value in columns.items():
            db.execute(f"UPDATE memories SET {name}=? WHERE id=?", (value, held))
    return held


def standing(memory: Memory, shown: int = 6) -> overview.Overview:
    with memory.database.read() as db:
        return overview.read_overview(db, NOW, shown)


def ids(held: list[values.Memory]) -> list[int]:
    return [one.id for one in held]


def test_hot_is_what_was_needed_most_and_is_true_now(memory: Memory) -> None:
    often = learn(memory, "tea", hit_count=5)
    more = learn(memory, "bread", hit_count=9)
    learn(memory, "never needed")
    learn(memory, "past", hit_count=50, valid_to="2026-01-01", status="superseded")
    learn(memory, "cold", hit_count=50, cold_since="2026-01-01")
    assert ids(standing(memory).hot) == [more, often]
    assert ids(standing(memory, 1).hot) == [more]


def test_contested_has_much_on_both_sides(memory: Memory) -> None:
    much = learn(memory, "an early riser", alpha=7, beta=6)
    most = learn(memory, "an optimist", alpha=9, beta=8)
    sure = learn(memory, "sure", alpha=40, beta=5.5)
    learn(memory, "at the border", alpha=5, beta=5)
    learn(memory, "past", alpha=9, beta=9, status="superseded")
    assert ids(standing(memory).contested) == [most, much, sure], "a sure one may be disputed as well"
    assert standing(memory).counts["contested"] == 3


def test_fading_is_light_and_long_not_needed(memory: Memory) -> None:
    lighter = learn(memory, "black coffee", days_ago=90, beta=6)
    light = learn(memory, "a garden", days_ago=60, beta=4.5)
    learn(memory, "needed lately", days_ago=60, beta=6, last_accessed_at="2026-03-10T00:00:00.000000+00:00")
    learn(memory, "young", days_ago=3, beta=6)
    learn(memory, "as heavy as when it was new", days_ago=90)
    learn(memory, "pinned", days_ago=90, beta=6, immutable=1)
    assert ids(standing(memory).fading) == [lighter, light]


def test_insights_and_tensions_are_the_newest(memory: Memory) -> None:
    old = learn(memory, "they run when low", "reflection", days_ago=9)
    new = learn(memory, "I came to value patience", "narrative", days_ago=1)
    learn(memory, "resolved", "tension", status="archived")
    open_ = learn(memory, "they value running and do not run", "tension")
    found = standing(memory)
    assert ids(found.insights) == [new, old] and ids(found.tensions) == [open_]


def test_counts_say_what_there_is_and_find_what_lacks_a_source(memory: Memory) -> None:
    learn(memory, "tea", "preference", alpha=1.5, beta=1.5)
    learn(memory, "asleep", status="dormant")
    learn(memory, "never", immutable=1)
    with memory.database.write() as db:
        db.execute("DELETE FROM memory_sources WHERE memory_id=2")
        of_itself = {"category": "self", "source_tag": "internal_consolidation", "metadata": {"design": [1]}}
        memories.add(db, values.NewMemory("reflection", "I do not sleep.", (), **of_itself), NOW)
    counts = standing(memory).counts
    assert counts["memories"] == 4 and counts["by_type"] == {"preference": 1, "reflection": 1, "semantic": 2}
    assert counts["by_status"] == {"active": 3, "dormant": 1}
    assert (counts["uninformed"], counts["pinned"], counts["without_source"]) == (1, 1, 1)


def test_of_an_empty_memory_nothing_stands_out(memory: Memory) -> None:
    found = standing(memory)
    assert found.counts["memories"] == found.counts["hot"] == 0
    assert found.hot == found.contested == found.fading == found.insights == found.tensions == []


def test_disk_is_told_by_table(memory: Memory) -> None:
    learn(memory, "tea " * 2000)
    sizes = overview.stats(memory.database, NOW, True)["disk_bytes"]
    assert sizes["turns"] > 8000 and sizes["turns_fts"] > 0
    assert list(sizes.values()) == sorted(sizes.values(), reverse=True)
    assert sum(sizes.values()) <= memory.database.path.stat().st_size + 4096 * 200
    assert overview.stats(memory.database, NOW, False)["disk_bytes"] is None


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Wanted(), ["Anika moved to Lisbon.", "They hate olives.", "Café Lua is closed."]),
        (Wanted(type="preference"), ["They hate olives."]),
        (Wanted(status="superseded"), ["Café Lua is closed."]),
        (Wanted(about="anika"), ["Anika moved to Lisbon."]),
        (Wanted(about="olive"), ["They hate olives."]),
        (Wanted(about="cafe closed"), ["Café Lua is closed."]),
        (Wanted(about='he said "x" AND -y*'), []),
        (Wanted(about=" "), []),
        (Wanted(since=NOW - timedelta(days=2)), ["Anika moved to Lisbon."]),
        (Wanted(type="preference", about="Lisbon"), []),
    ],
)
def test_memories_are_listed_by_what_is_asked(memory: Memory, wanted: Wanted, expected: list[str]) -> None:
    learn(memory, "Café Lua is closed.", status="superseded", days_ago=9)
    learn(memory, "They hate olives.", "preference", days_ago=5)
    learn(memory, "Anika moved to Lisbon.", subject="Anika")
    with memory.database.read() as db:
        assert [one.content for one in memory_lists.read_newest(db, wanted, 10)] == expected
        assert len(memory_lists.read_newest(db, wanted, 1)) == min(1, len(expected))


def test_one_memory_is_shown_whole(memory: Memory) -> None:
    one = learn(memory, "They bake rye.", subject="user", alpha=6, beta=3, hit_count=4)
    other = learn(memory, "They bake when low.", "reflection")
    with memory.database.write() as db:
        links.link(db, other, one, "informed_by", 0.8, NOW)
        accesses.record(db, [one, other], NOW)
        accesses.together(db, [one, other], NOW)
        weights.log(db, "c", NOW, "retrieved", one, Weight(5, 3), Weight(6, 3), {"turn": "inbox:1"})
    with memory.database.read() as db:
        found = overview.whole(db, one)
        assert overview.whole(db, 99) is None
    assert found is not None
    assert found["weight"] == 0.6667 and found["in_words"] == "held" and found["evidence"] == 9
    assert [turn["text"] for turn in found["turns"]] == ["They bake rye."]
    [link] = found["links"]
    assert overview.relation_in_words(link) == "went into" and link["text"] == "They bake when low."
    assert found["accesses"]["together_with"] == [{"id": f"memory:{other}", "count": 1.0}]
    assert len(found["accesses"]["latest"]) == 1
    [change] = found["history"]
    assert (change["operation"], change["before"], change["after"]) == ("retrieved", [5, 3], [6, 3])


@pytest.mark.parametrize(
    ("weight", "words"),
    [
        (Weight(9, 9), "contested"),
        (Weight(1.5, 1.5), "uninformed"),
        (Weight(9, 1), "held firmly"),
        (Weight(6, 4), "held"),
        (Weight(1, 4), "held loosely"),
        (Weight(1, 9), "faint"),
    ],
)
def test_a_weight_is_told_in_words(memory: Memory, weight: Weight, words: str) -> None:
    held = learn(memory, "x y z", alpha=weight.alpha, beta=weight.beta)
    with memory.database.read() as db:
        one = memories.get(db, held)
    assert one is not None and overview.describe_weight(one).partition(":")[0] == words


def test_what_is_pinned_says_so(memory: Memory) -> None:
    held = learn(memory, "x y z", alpha=BOUNDARY.alpha, beta=BOUNDARY.beta, immutable=1)
    with memory.database.read() as db:
        one = memories.get(db, held)
    assert one is not None and overview.describe_weight(one).startswith("pinned")
