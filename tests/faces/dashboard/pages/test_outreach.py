"""Writing first: the page tells every decision on record, in order, each once."""

from __future__ import annotations

from furoshiki.core.timestamps import stamp
from furoshiki.mind.outreach import explanation
from furoshiki.mind.outreach.store import kinds
from tests.support.dashboard import House
from tests.support.deciding import decided


def test_it_tells_why_it_wrote_and_why_not_gate_by_gate(house: House) -> None:
    world = house.world
    decided(world, "the ferry", "sent", hours=2)
    decided(world, "the kettle", hours=1)
    decided(world, "<script>alert(1)</script>")
    with world.database.write() as db:
        kinds.learn(db, "question", "ignored", 0.8, world.now)
    page = house.page("/outreach")
    assert "Said of the ferry" in page and "It wrote" in page
    assert "2 things waited" in page, "what was held by one gate stands together"
    assert "I last wrote first 2 hours 5 minutes ago (8 hours needed)" in page
    assert "23:00-08:00" in page and "waits 1.2 times as long" in page
    assert "<script>alert" not in page and "&lt;script&gt;alert" in page
    assert "the kettle" not in house.page("/outreach?verdict=sent&kind=question")
    assert "No decisions of this kind" in house.page("/outreach?kind=growth")


def test_pages_follow_each_other_and_leave_nothing_out(house: House) -> None:
    made = [decided(house.world, f"thought {number}", hours=number // 2) for number in range(9)]
    found: list[int] = []
    before = None
    while len(found) < len(made):
        page = explanation.list_decisions(house.world, 2, None, None, before)
        found += [one.decision.id for one in page]
        before = (stamp(page[-1].decision.last_at), page[-1].decision.id)
    assert sorted(found) == made and explanation.list_decisions(house.world, 2, None, None, before) == []
