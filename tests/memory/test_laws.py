"""Laws of memory as a whole, tried with memories of every kind: reading changes nothing, a second night neither.

Weights within bounds: test_weighing. Decay that does not compound: consolidation/test_decay. A rebuilt index that
finds the same: tests/recall/retrieval/memoryd.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from furoshiki.archive.import_export import exporting
from furoshiki.conversation.commands.look import why
from furoshiki.core.timestamps import stamp
from furoshiki.memory import concepts, overview, weighing
from furoshiki.memory.store import accesses, links, memories
from furoshiki.mind.consolidation import deep, light
from furoshiki.recall.retrieval.recall import recall
from furoshiki.recall.retrieval.values import KINDS, Scope
from furoshiki.world import World
from tests.support.consolidating import Night, days
from tests.support.dying_night import ask
from tests.support.reasons import reasons
from tests.support.world import FrozenClock, Human, Script

FACTS = (
    "They drink green tea in the garden every morning.",
    "They drink green tea in the garden every single morning.",
    "They row on the river with Anika.",
    "They do not row on the river any more.",
    "Anika lives in Lisbon.",
    "We watched the boats in the rain.",
    "They are called Mira.",
    "They collect stamps of ships.",
)
TYPES = ("semantic", "episodic", "preference", "procedural", "correction")
SLOW = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


def dump(world: World) -> list[str]:
    """Everything in the database."""
    with world.database.read() as db:
        return list(db.iterdump())


def asked(world: World, question: Callable[[Any], Any]) -> Any:
    with world.database.read() as db:
        return question(db)


READERS: dict[str, Callable[[World, str, int], Any]] = {
    "recall": lambda world, words, k: recall(world, words, k=k, now=world.now),
    "recall of a kind": lambda world, words, k: recall(
        world, words, k=k, now=world.now, scope=Scope(kinds=(KINDS[k % len(KINDS)],))
    ),
    "why": lambda world, _words, k: (
        why.last_answer(world),
        reasons(world, f"memory:{k}"),
        reasons(world, f"turn:{k}"),
    ),
    "show": lambda world, _words, k: asked(world, lambda db: overview.whole(db, k)),
    "view": lambda world, _words, _k: asked(world, lambda db: overview.read_overview(db, world.now)),
    "list": lambda world, _words, k: asked(world, lambda db: memories.newest(db, k)),
    "export": lambda world, _words, _k: asked(
        world, lambda db: list(exporting.render_pieces(db, "jsonl", world.now, world.zone))
    ),
    "stats": lambda world, _words, _k: overview.stats(world.database, world.now, True),
    "coherence": lambda world, _words, _k: asked(world, lambda db: weighing.coherence(db, world.now)),
}


@pytest.fixture
async def lived(world: World, human: Human, model: Script, clock: FrozenClock) -> World:
    """A memory with facts, talk, accesses and links."""
    night = Night(world, clock, model)
    rows = [night.keep(text, days_ago=30 - number) for number, text in enumerate(FACTS)]
    with world.database.write() as db:
        accesses.together(db, rows[:3], world.now)
        links.link(db, rows[3], rows[2], "contradicts", 0.9, world.now)
        concepts.read_new(db, world.now)
    night.embed()
    for text in ("where does Anika live?", "what do I drink in the morning?"):
        await human.says(text)
        clock.pass_(minutes=5)
    return world


@pytest.mark.slow
@settings(max_examples=25, deadline=None, suppress_health_check=SLOW)
@given(
    st.lists(st.sampled_from(sorted(READERS)), min_size=1, max_size=4),
    st.one_of(st.sampled_from(["tea", "Anika in Lisbon", "last week", "who am I?"]), st.text(max_size=40)),
    st.integers(1, 12),
)
def test_reading_changes_nothing(lived: World, readers: list[str], words: str, k: int) -> None:
    before = dump(lived)
    for name in readers:
        READERS[name](lived, words, k)
    assert dump(lived) == before


def test_every_reader_finds_something(lived: World) -> None:
    """Otherwise it would be no wonder that nothing changes."""
    found = {name: read(lived, "Anika in Lisbon", 3) for name, read in READERS.items()}
    assert all(found.values()), [name for name, what in found.items() if not what]


ONE = st.fixed_dictionaries(
    {
        "content": st.sampled_from(FACTS),
        "type_": st.sampled_from(TYPES),
        "days_ago": st.sampled_from([0.1, 3, 20, 60, 95, 200, 400]),
        "alpha": st.sampled_from([1.0, 2.0, 9.0]),
        "beta": st.sampled_from([1.4, 4.0, 20.0]),
        "access_count": st.sampled_from([0, 2, 6, 12]),
        "used_days_ago": st.sampled_from([None, 0.1, 15, 100]),
    }
)


@pytest.mark.slow
@settings(max_examples=30, deadline=None, suppress_health_check=SLOW)
@given(st.lists(ONE, min_size=1, max_size=10), st.data())
def test_a_second_consolidation_changes_nothing_more(
    world: World, clock: FrozenClock, model: Script, held: list[dict[str, Any]], data: st.DataObject
) -> None:
    """Light or deep, twice at the same moment, whatever lies there: ages, weights, uses, company and contradictions."""
    night = Night(replace(world, ask=ask), clock, model)
    _empty(night)
    rows = []
    for one in held:
        used = one["used_days_ago"]
        columns = {name: one[name] for name in ("alpha", "beta", "access_count")}
        if used is not None and used <= one["days_ago"]:
            columns["last_accessed_at"] = stamp(clock.at - days(used))
        rows.append(night.keep(one["content"], one["type_"], days_ago=one["days_ago"], **columns))
    met = data.draw(st.lists(st.sampled_from(rows), max_size=4, unique=True), label="met")
    with night.world.database.write() as db:
        accesses.together(db, met, clock.at - days(data.draw(st.integers(0, 60), label="met so many days ago")))
    night.embed()
    if data.draw(st.booleans(), label="light first"):
        light.run(night.world)
    asyncio.run(deep.consolidate(night.world))
    before = night.everything()
    asyncio.run(deep.consolidate(night.world))
    assert night.everything() == before


def _empty(night: Night) -> None:
    """Every example begins with a memory that holds nothing, for the price of a few deletions."""
    with night.world.database.write() as db:
        for table in ("memories", "turns", "concepts", "kv", "mind_queue", "consolidation_log", "safety_events"):
            db.execute(f"DELETE FROM {table}")
