"""Lists of memories: every one once over all pages, by any filter, however few rows a page looks at."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest

from furoshiki.faces.overview.rules.cursors import NoSuchPage
from furoshiki.faces.overview.store import memory_lists
from furoshiki.faces.overview.store.memory_lists import Listing, Wanted
from furoshiki.memory.store import concepts, memories
from furoshiki.memory.values import NewMemory
from furoshiki.world import World
from tests.support.commands import said

LIMIT = 3


@pytest.fixture
def filled(world: World) -> World:
    """Thirty memories, three a day; every third is about Anna, some are over, cold or of use."""
    turn = said(world, "Much to tell")
    with world.database.write() as db:
        for i in range(30):
            subject = "Anna" if i % 3 == 0 else None
            kind = "preference" if i % 5 == 0 else "semantic"
            at = world.now + timedelta(hours=i // 2)
            made = memories.add(db, NewMemory(kind, f"Fact {i} of tea", (turn,), subject=subject), at)
            if i % 4 == 0:
                concepts.see(db, made, ["tea"], at)
        db.execute("UPDATE memories SET status='dormant' WHERE id%7=0")
        db.execute("UPDATE memories SET hit_count=id%3 WHERE id>4")
        db.execute("UPDATE memories SET cold_since=created_at WHERE id%6=0")
    return world


def through(world: World, page: Callable[..., Listing]) -> list[int]:
    """The ids of every page, in order."""
    found: list[int] = []
    cursor = ""
    for _ in range(60):
        with world.database.read() as db:
            listing = page(db, cursor, LIMIT)
        assert len(listing.memories) <= LIMIT
        found += [one.id for one in listing.memories]
        cursor = listing.next
        if not cursor:
            return found
    raise AssertionError("the pages have no end")


ROWS: list[tuple[Wanted, str]] = [
    (Wanted(), "1"),
    (Wanted(type="preference"), "type='preference'"),
    (Wanted(status="active"), "status='active'"),
    (Wanted(status="dormant"), "status='dormant'"),
    (Wanted(status="archived"), "0"),
    (Wanted(about="anna"), "subject='Anna'"),
    (Wanted(about="tea"), "1"),
    (Wanted(about='"'), "0"),
    (Wanted(type="semantic", about="Anna"), "type='semantic' AND subject='Anna'"),
]


@pytest.mark.parametrize("looked", [memory_lists.LOOKED, 4])
@pytest.mark.parametrize("few", [memory_lists.FEW, 0])
@pytest.mark.parametrize(("wanted", "where"), ROWS)
def test_every_page_together_is_the_whole(
    filled: World, monkeypatch: pytest.MonkeyPatch, looked: int, few: int, wanted: Wanted, where: str
) -> None:
    monkeypatch.setattr(memory_lists, "LOOKED", looked)
    monkeypatch.setattr(memory_lists, "FEW", few)
    with filled.database.read() as db:
        whole = [
            row[0] for row in db.execute(f"SELECT id FROM memories WHERE {where} ORDER BY created_at DESC, id DESC")
        ]
    assert through(filled, lambda db, cursor, limit: memory_lists.newest(db, wanted, cursor, limit)) == whole


@pytest.mark.parametrize("looked", [memory_lists.LOOKED, 4])
def test_hot_and_cold(filled: World, monkeypatch: pytest.MonkeyPatch, looked: int) -> None:
    monkeypatch.setattr(memory_lists, "LOOKED", looked)
    with filled.database.read() as db:
        hot = db.execute(
            "SELECT id FROM memories WHERE status='active' AND hit_count>0 AND cold_since IS NULL "
            "ORDER BY hit_count DESC, created_at DESC, id DESC"
        ).fetchall()
        cold = db.execute(
            "SELECT id FROM memories WHERE status='active' AND cold_since IS NOT NULL "
            "ORDER BY hit_count, created_at, id"
        ).fetchall()
    assert through(filled, memory_lists.hot) == [row[0] for row in hot]
    assert through(filled, memory_lists.cold) == [row[0] for row in cold]


def test_by_concept_and_since(filled: World) -> None:
    with filled.database.read() as db:
        [tea] = concepts.read_named(db, ["tea"])
        about = memory_lists.newest(db, Wanted(concept=tea.id), "", 100)
        late = memory_lists.newest(db, Wanted(since=filled.now + timedelta(hours=14)), "", 100)
    assert len(about.memories) == 8
    assert [one.content for one in late.memories] == ["Fact 29 of tea", "Fact 28 of tea"]


@pytest.mark.parametrize(
    "cursor", ["nonsense", "a~b~c", "~", "2026~x", "2026~²", f"2026~{2**63}", "2026~" + "9" * 5000]
)
def test_a_cursor_that_no_page_gave_out_is_told(filled: World, cursor: str) -> None:
    for page in (memory_lists.hot, memory_lists.cold, partial(memory_lists.newest, wanted=Wanted())):
        with filled.database.read() as db, pytest.raises(NoSuchPage):
            page(db, cursor=cursor, limit=LIMIT)
