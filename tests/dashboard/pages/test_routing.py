"""Routing, as a page and as `/api/v1/routing`: what is shown equals the rows, and what the owner can do is done."""

from __future__ import annotations

from datetime import timedelta

import pytest

from furoshiki.routing import overview, regulator
from furoshiki.routing.rules.changes import Move, Pressure
from furoshiki.routing.store import changes
from furoshiki.world import World
from tests.support.dashboard import House, Signed
from tests.support.routing import decided, healthy
from tests.support.world import Human

API = "/api/v1/routing"


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
    [found] = house.client.get(f"{API}/decisions").json()["items"]
    one = house.client.get(f"{API}/decisions/{found['id']}").json()
    assert one["exact"] and one["mode"] == "ACT"
    for mode, parts in one["parts"].items():
        assert sum(part["value"] for part in parts) == pytest.approx(one["scores"][mode], abs=0.002), mode
    html = house.page(f"/routing/decisions/{found['id']}")
    assert "you asked for something to be done" in html and "intent +0.40" in html
    assert house.client.get("/routing/decisions/999").status_code == 404


def test_shares_stand_against_what_is_healthy(house: House) -> None:
    world = house.world
    with world.database.write() as db:
        healthy(db, world.now - timedelta(hours=1))
        decided(db, world.now - timedelta(days=3), 10, mode="ACT", tie_break="score")
        decided(db, world.now - timedelta(days=20), 4, mode="IGNORE")
    for days, act, verdict in ((1, 0.1, "within"), (7, 0.55, "above"), (30, 11 / 24, "above")):
        found = house.client.get(API, params={"days": days}).json()
        [share] = [one for one in found["shares"] if one["mode"] == "ACT"]
        assert share["share"] == pytest.approx(act) and share["verdict"] == verdict
    html = house.page("/routing?days=7")
    assert "11 of 20, usually 5 % to 15 %" in html and "more than usual" in html
    assert "60 % (" not in html and "50 % were close" in html
    assert overview.of(world, 1).messages == 10


def test_decisions_are_paged_and_filtered(house: House) -> None:
    with house.world.database.write() as db:
        decided(db, house.world.now, 30)
        decided(db, house.world.now, 1, mode="ACT", tie_break="model", feedback="wrong_route")
    seen, cursor = [], None
    while True:
        found = house.client.get(
            f"{API}/decisions", params={"limit": 12, **({"cursor": cursor} if cursor else {})}
        ).json()
        seen += [one["id"] for one in found["items"]]
        if (cursor := found["next"]) is None:
            break
    assert len(seen) == 31 and seen == sorted(set(seen), reverse=True)
    for asked in ({"mode": "ACT"}, {"close": "true"}, {"said": "any"}, {"said": "wrong_route"}):
        [one] = house.client.get(f"{API}/decisions", params=asked).json()["items"]
        assert one["mode"] == "ACT"
    html = house.page("/routing?said=wrong_route")
    assert html.count('data-label="When"') == 1 and "it was wrong" in html
    assert "Older" in house.page("/routing") and "Newest" in house.page(f"/routing?before={seen[19]}")


def test_what_it_changed_is_taken_back_and_the_numbers_are_pinned(house: House, signed: Signed) -> None:
    made = moved(house.world)
    html = house.page("/routing")
    assert "(margin_base 0.2 → 0.18)" in html and "28% of the choices were too close to call" in html
    assert "pinned" in house.post("/routing/pin", on="true") and house.client.get(API).json()["pinned"]
    assert "Take this back" not in signed("viewer").page("/routing")
    assert signed("viewer").client.post("/routing/reset", data={}).status_code == 403
    assert "1 change taken back" in house.post("/routing/reset", change=made)
    assert house.client.get(API).json()["moved"] == {}
    assert "Nothing was taken back" in house.post("/routing/reset", change=made)
    answer = house.client.delete(f"{API}/changes/{made}", headers={"X-CSRF-Token": house.csrf})
    assert answer.status_code == 409
    [change] = house.client.get(f"{API}/changes").json()["items"]
    assert change["became"] == "taken back by you"
    sent = house.client.put(f"{API}/pinned", json={"pinned": False}, headers={"X-CSRF-Token": house.csrf})
    assert sent.json() == {"pinned": False} and not house.client.get(API).json()["pinned"]


def test_an_empty_house_says_what_will_stand_here(house: House) -> None:
    html = house.page("/routing?days=30")
    assert "Nothing was said in this time." in html and "It looks once a day" in html
