"""Architecture: what is shown of the loops is what the database holds."""

from __future__ import annotations

import re
from datetime import timedelta

from furoshiki.faces.dashboard import loops
from furoshiki.feelings.rules import emotions as emotion_rules
from furoshiki.feelings.rules import mood as mood_rules
from furoshiki.feelings.rules import needs as need_rules
from furoshiki.feelings.rules.emotions import NAMES, Emotions
from furoshiki.mind.outreach.store import kinds
from tests.support.dashboard import House, Signed


def test_every_loop_is_a_link_to_how_it_stands(house: House) -> None:
    page = house.page("/architecture")
    for one in loops.load_loops().all:
        assert f'href="/architecture/loops/{one.name}"' in page
        shown = house.page(f"/architecture/loops/{one.name}")
        assert one.files[0] in shown and "How it stands" in shown
    assert house.client.get("/architecture/loops/none").status_code == 404


def test_it_begins_with_ten_boxes_and_unfolds_the_rest(house: House) -> None:
    first, *rest = house.page("/architecture").split('<details class="card"')
    assert len(re.findall(r'<td class="(?:end|node)', first)) == 10
    assert len(rest) == len(loops.load_loops().groups)
    assert all('<table class="diagram' in one and " open" not in one[:200] for one in rest)


def test_a_loop_tells_its_figures_and_its_last_effect(signed: Signed) -> None:
    house = signed("viewer")
    assert "has not moved yet" in house.page("/architecture/loops/writing-first")
    with house.world.database.write() as db:
        kinds.learn(db, "thought", "answered", 1.2, house.world.now - timedelta(hours=3))
    page = house.page("/architecture/loops/writing-first")
    assert "1.20: 1 answered" in page and "3 hours ago" in page
    assert "3 hours ago" in house.page("/parts/architecture/loops")


def test_the_simulator_tells_what_the_rules_say_and_changes_nothing(signed: Signed) -> None:
    house = signed("viewer")
    house.world.state.heartbeat()
    before = house.world.state.heartbeat_path.read_bytes()
    asked = {**dict.fromkeys(NAMES, 0.1), "anger": 0.9, "hours": 6}
    page = house.page("/architecture/simulator?" + "&".join(f"{name}={value}" for name, value in asked.items()))
    feels = Emotions(**{**dict.fromkeys(NAMES, 0.1), "anger": 0.9})
    after = emotion_rules.drift(feels, 6, house.world.laws.emotions)
    mood = mood_rules.choose_word(after, house.world.laws.mood)
    assert f"It would feel {mood}" in page and house.world.prompts.render(f"_parts/mood/{mood}")[:20] in page
    for value in need_rules.derive(after, house.world.laws.needs).values():
        assert f"{value:.2f}" in page
    assert house.world.state.heartbeat_path.read_bytes() == before


def test_the_simulator_makes_something_of_whatever_is_put_in(house: House) -> None:
    page = house.page("/architecture/simulator?joy=nan&anger=9&worry=x&hours=-3&preset=%3Cscript%3E")
    assert 'name="anger" min="0" max="1" step="0.01" value="1.00"' in page and "<script>" not in page
