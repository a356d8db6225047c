"""Routing: what is shown equals the rows."""

from __future__ import annotations

from datetime import timedelta

from furoshiki.owner.routing import overview
from tests.support.dashboard import House
from tests.support.routing import decided, healthy
from tests.support.world import Human


async def test_a_message_is_shown_as_it_was_written(house: House, human: Human) -> None:
    await human.says("<b>add</b> rye bread to my shopping list")
    html = house.page("/routing")
    assert "&lt;b&gt;add&lt;/b&gt; rye bread" in html and "<b>add" not in html


def test_shares_stand_against_what_is_healthy(house: House) -> None:
    world = house.world
    with world.database.write() as db:
        healthy(db, world.now - timedelta(hours=1))
        decided(db, world.now - timedelta(days=3), 10, mode="ACT", tie_break="score")
        decided(db, world.now - timedelta(days=20), 4, mode="IGNORE")
    html = house.page("/routing?days=7")
    assert "11 of 20, usually 5 % to 15 %" in html and "more than usual" in html
    assert "60 % (" not in html and "Close calls: 50 %" in html
    assert overview.of(world, 1).messages == 10


def test_decisions_are_paged_and_filtered(house: House) -> None:
    with house.world.database.write() as db:
        decided(db, house.world.now, 30)
        decided(db, house.world.now, 1, mode="ACT", tie_break="model")
    for asked in ("mode=ACT", "close=true"):
        html = house.page(f"/routing?{asked}")
        assert html.count('data-label="When"') == 1
    first, older = house.page("/routing"), house.page("/routing?before=12")
    assert "Older" in first and "Newest" in older
    assert first.count('data-label="When"') + older.count('data-label="When"') == 31


def test_an_empty_house_says_what_will_stand_here(house: House) -> None:
    html = house.page("/routing?days=30")
    assert "No messages in this period." in html and "No decisions match." in html
