"""Architecture: what is shown of the loops is what the database holds."""

from __future__ import annotations

from datetime import timedelta

from furoshiki.dashboard import loops
from furoshiki.outreach.store import kinds
from tests.support.dashboard import House, Signed


def test_every_loop_is_a_link_to_how_it_stands(house: House) -> None:
    page = house.page("/architecture")
    for one in loops.described().all:
        assert f'href="/architecture/loops/{one.name}"' in page
        shown = house.page(f"/architecture/loops/{one.name}")
        assert one.files[0] in shown and "How it stands" in shown
    assert house.client.get("/architecture/loops/none").status_code == 404


def test_a_loop_tells_its_figures_and_its_last_effect(signed: Signed) -> None:
    house = signed("viewer")
    assert "has not moved yet" in house.page("/architecture/loops/writing-first")
    with house.world.database.write() as db:
        kinds.learn(db, "thought", "answered", 1.2, house.world.now - timedelta(hours=3))
    page = house.page("/architecture/loops/writing-first")
    assert "1.20: 1 answered" in page and "3 hours ago" in page
    assert "3 hours ago" in house.page("/parts/architecture/loops")
