"""Routing: what is shown equals the rows, and what the owner can do is done."""

from __future__ import annotations

from datetime import timedelta

from furoshiki.routing import overview, regulator
from furoshiki.routing.rules.changes import Move, Pressure
from furoshiki.routing.store import changes
from furoshiki.world import World
from tests.support.dashboard import House, Signed
from tests.support.routing import decided, healthy
from tests.support.world import Human


def moved(world: World) -> int:
    """A number that was moved a day ago."""
    with world.database.write() as db:
        move = Move("margin_base", 0.2, 0.18, Pressure("tie_break", 0.28, 0.08))
        made = changes.add(db, move, world.now - timedelta(days=1))
    regulator.publish(world)
    return made


async def test_a_message_is_shown_with_all_that_led_to_it(house: House, human: Human) -> None:
    await human.says("<b>add</b> rye bread to my shopping list")
    html = house.page("/routing")
    assert "&lt;b&gt;add&lt;/b&gt; rye bread" in html and "<b>add" not in html
    html = house.page("/routing/decisions/1")
    assert "you asked for something to be done" in html and "intent +0.40" in html
    assert house.client.get("/routing/decisions/999").status_code == 404


def test_shares_stand_against_what_is_healthy(house: House) -> None:
    world = house.world
    with world.database.write() as db:
        healthy(db, world.now - timedelta(hours=1))
        decided(db, world.now - timedelta(days=3), 10, mode="ACT", tie_break="score")
        decided(db, world.now - timedelta(days=20), 4, mode="IGNORE")
    html = house.page("/routing?days=7")
    assert "11 of 20, usually 5 % to 15 %" in html and "more than usual" in html
    assert "60 % (" not in html and "50 % were close" in html
    assert overview.of(world, 1).messages == 10


def test_decisions_are_paged_and_filtered(house: House) -> None:
    with house.world.database.write() as db:
        decided(db, house.world.now, 30)
        decided(db, house.world.now, 1, mode="ACT", tie_break="model", feedback="wrong_route")
    for asked in ("mode=ACT", "close=true", "said=any", "said=wrong_route"):
        html = house.page(f"/routing?{asked}")
        assert html.count('data-label="When"') == 1 and "it was wrong" in html
    first, older = house.page("/routing"), house.page("/routing?before=12")
    assert "Older" in first and "Newest" in older
    assert first.count('data-label="When"') + older.count('data-label="When"') == 31


def test_what_it_changed_is_taken_back_and_the_numbers_are_pinned(house: House, signed: Signed) -> None:
    made = moved(house.world)
    html = house.page("/routing")
    assert "(margin_base 0.2 → 0.18)" in html and "28% of the choices were too close to call" in html
    assert "pinned" in house.post("/routing/pin", on="true")
    assert "Take this back" not in signed("viewer").page("/routing")
    assert signed("viewer").client.post("/routing/reset", data={}).status_code == 403
    assert "1 change taken back" in house.post("/routing/reset", change=made)
    assert "Nothing was taken back" in house.post("/routing/reset", change=made)
    assert "taken back by you" in house.page("/routing")
    assert "learns again" in house.post("/routing/pin", on="false")


def test_an_empty_house_says_what_will_stand_here(house: House) -> None:
    html = house.page("/routing?days=30")
    assert "Nothing was said in this time." in html and "It looks once a day" in html
