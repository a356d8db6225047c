"""Memory: what is shown is what is held; putting right, pinning and forgetting do what the commands do."""

from __future__ import annotations

import pytest

from furoshiki.memory.store import concepts, links, memories
from furoshiki.world import World
from tests.support.commands import learned, said
from tests.support.dashboard import House, Signed
from tests.support.people import Somebody
from tests.support.world import NoVectors

SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(2)>"


@pytest.fixture
def lyon(house: House) -> int:
    """A fact with what surrounds it."""
    world = house.world
    turn = said(world, "I live in Lyon now, near the river")
    fact, other = learned(world, "They live in Lyon.", turn), learned(world, "The user likes rivers.", turn)
    with world.database.write() as db:
        concepts.see(db, fact, ["lyon"], world.now)
        concepts.see(db, other, ["lyon"], world.now)
        links.link(db, other, fact, "informed_by", 0.9, world.now)
    return fact


def test_the_list_shows_what_is_held_and_the_page_what_it_rests_on(house: House, lyon: int) -> None:
    html = house.page("/memory")
    assert "You live in Lyon." in html and f'href="/memory/{lyon}"' in html and "2 memories are held" in html
    one = house.page(f"/memory/{lyon}")
    assert "I live in Lyon now, near the river" in one and "telegram" in one
    drawn = one[one.index('<div class="graph"') :]
    for words in ("went into</span>", "You like rivers.", '<span class="sr">about: </span>lyon</a>'):
        assert words in drawn, "its link and its concept are in the picture"
    assert "held loosely" in one and "0.20" in one
    assert "What is remembered from it" in house.page("/memory/said/1")


def test_a_memory_that_shares_a_concept_stands_beside_it(house: House, lyon: int) -> None:
    turn = said(house.world, "the river floods each spring")
    other = learned(house.world, "The river floods each spring.", turn)
    with house.world.database.write() as db:
        concepts.see(db, other, ["lyon"], house.world.now)
    drawn = house.page(f"/memory/{lyon}").partition('<div class="graph"')[2]
    beside = drawn.partition("lyon</a>")[2]
    assert f'<ul><li><a href="/memory/{other}"><span class="cut">The river floods each spring.</span>' in beside


def test_a_search_says_how_it_found(house: House, lyon: int) -> None:
    html = house.page("/memory?q=river")
    assert "Found by words only" in html and "near the river" in html
    assert "Nothing like that is remembered" in house.page("/memory?q=xylophone")


def test_a_search_is_the_recall_of_answers_where_memoryd_ranks(
    house: House, lyon: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(NoVectors, "recall", lambda *_, **__: [(f"memory:{lyon}", 0.9), ("memory:999", 0.8)])
    html = house.page("/memory?q=where+is+home")
    assert "Found by meaning" in html and "Found: 1" in html and "You live in Lyon." in html


def test_what_stands_out(house: House, lyon: int) -> None:
    with house.world.database.write() as db:
        memories.add(db, memories.NewMemory("tension", "They want quiet and talk a lot.", (1,)), house.world.now)
        memories.add(db, memories.NewMemory("reflection", "They like water.", (1,)), house.world.now)
        db.execute("UPDATE memories SET alpha=9, beta=9 WHERE id=?", (lyon,))
    html = house.page("/memory/standing-out")
    assert "You want quiet" in html or "They want quiet" in html
    assert "like water." in html and "You live in Lyon." in html and "contested" in html


def test_filters_that_are_none_are_told(house: House, lyon: int) -> None:
    assert "You live in Lyon." in house.page("/memory?concept=lyon&status=active&type=semantic")
    assert "Nothing like that" in house.page("/memory?status=dormant")
    assert house.client.get("/memory?since=yesterday").status_code == 422
    assert "Nothing like that" in house.page("/memory?concept=nothing")
    assert house.client.get("/memory/99").status_code == 404
    assert house.client.get("/memory/said/99").status_code == 404


def test_it_is_put_right_pinned_and_approved(house: House, lyon: int) -> None:
    html = house.post(f"/memory/{lyon}/edit", text="They live in Nantes.", was="changed")
    assert f"This replaces memory:{lyon}, which was true until now" in html
    with house.world.database.read() as db:
        old, new = memories.get(db, lyon), memories.newest(db, 1)[0]
    assert old is not None and old.status == "superseded" and new.content == "They live in Nantes."
    assert "Replaced by" in house.page(f"/memory/{lyon}")
    assert "It is pinned" in house.post(f"/memory/{new.id}/pin", pinned="true")
    assert "may change again" in house.post(f"/memory/{new.id}/pin", pinned="false")
    assert "almost certain" in house.post(f"/memory/{new.id}/approve")
    assert "is past" in house.post(f"/memory/{lyon}/pin", pinned="true")
    assert "is past" in house.post(f"/memory/{lyon}/approve")


def test_it_is_forgotten_after_it_was_shown(house: House, lyon: int) -> None:
    shown = house.post("/memory/forget", what=f"memory:{lyon}")
    assert "This would be gone for good" in shown and "I live in Lyon now" in shown and "cannot be undone" in shown
    with house.world.database.read() as db:
        assert memories.get(db, lyon) is not None, "looking changes nothing"
    token = shown.split('name="token" value="')[1].split('"')[0]
    assert "nothing was forgotten" in house.post("/memory/forget/yes", what=f"memory:{lyon}", token="another")
    assert "Forgotten: 1 message" in house.post("/memory/forget/yes", what=f"memory:{lyon}", token=token)
    with house.world.database.read() as db:
        assert memories.get(db, lyon) is None
    assert house.client.get(f"/memory/{lyon}").status_code == 404
    assert "Nothing stored says that" in house.post("/memory/forget", what="a word nobody said")
    assert house.client.post("/memory/forget", data={"csrf": house.csrf, "what": " "}).status_code == 422


async def test_what_others_said_is_counted_and_not_shown(house: House, member: Somebody) -> None:
    said(house.world, "the boat is called Zephyrine")
    await member.says("my secret boat is called Zephyrine")
    shown = house.post("/memory/forget", what="Zephyrine")
    assert "the boat is called" in shown and "From what Bea told it in private" in shown
    assert "my secret boat" not in shown
    token = shown.split('name="token" value="')[1].split('"')[0]
    assert "Forgotten: " in house.post("/memory/forget/yes", what="Zephyrine", token=token)
    assert "Nothing stored says that" in house.post("/memory/forget", what="Zephyrine")


def test_a_viewer_changes_nothing(signed: Signed, world: World) -> None:
    fact = learned(world, "They live in Lyon.", said(world, "I live in Lyon"))
    viewer = signed("viewer")
    assert "Change it" not in viewer.page(f"/memory/{fact}")
    assert "change nothing" in viewer.page("/memory/forget")
    for path in (f"/memory/{fact}/edit", f"/memory/{fact}/pin", "/memory/forget", "/memory/forget/yes"):
        answer = viewer.client.post(path, data={"csrf": viewer.csrf, "pinned": "true", "what": "x", "token": "y"})
        assert answer.status_code == 403, path


def test_words_of_others_are_shown_as_words(house: House) -> None:
    turn = said(house.world, f"I am called {SCRIPT}")
    with house.world.database.write() as db:
        fact = memories.add(
            db,
            memories.NewMemory(
                "semantic", f"They are called {SCRIPT}.", (turn,), subject=SCRIPT, predicate="x", object="y"
            ),
            house.world.now,
        )
        concepts.see(db, fact, [SCRIPT], house.world.now)
    for path in (
        "/memory",
        f"/memory/{fact}",
        f"/memory/said/{turn}",
        "/memory/you",
        f"/memory?about={SCRIPT}",
        f"/memory?q={SCRIPT}",
    ):
        html = house.page(path)
        assert "<script>alert" not in html and "<img src=x" not in html, path
    shown = house.post("/memory/forget", what=SCRIPT)
    assert "<script>alert" not in shown and "&lt;script&gt;alert" in shown


def test_words_that_cannot_be_kept_come_back_as_they_were_typed(house: House, lyon: int) -> None:
    fields = {"csrf": house.csrf, "text": "They live in Lyon.", "was": "changed", "object": "Oran"}
    answer = house.client.post(f"/memory/{lyon}/edit", data=fields)
    assert answer.status_code == 422 and "already says that" in answer.text
    assert 'value="changed" checked' in answer.text and 'value="wrong">' in answer.text
    assert f'name="back" value="/memory/{lyon}"' in answer.text
    house.post(f"/memory/{lyon}/edit", text="They live in Oran.")
    past = house.client.post(f"/memory/{lyon}/edit", data={**fields, "text": "They live in Nice."})
    assert past.status_code == 422 and "They live in Nice." in past.text and "is past" in past.text
