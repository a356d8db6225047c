"""An insight is judged again when what it's based on changes: updated, kept with its contradiction, or withdrawn."""

from __future__ import annotations

import json

import pytest

from furoshiki.core.errors import NoMindAnswered
from furoshiki.memory.store import links, memories
from furoshiki.mind.consolidation.synthesis import insights, reconsolidation
from tests.support.nights_insights import QUESTIONS, TEXT, found
from tests.support.thinking import SEA, Night

FOREST = "They moved to the mountains and walk in the forest after hard days."
NEW = "They go out to sea or forest after hard days."


@pytest.fixture
async def held(night: Night) -> Night:
    """Memories 1 to 6 and the insight 7, which follows from 1, 3 and 4."""
    night.learns(*SEA)
    night.says(QUESTIONS, found((TEXT, [1, 3, 4])))
    await insights.step(night.world, night.cycle)
    night.clock.pass_(days=1)
    return night


def contradicted(night: Night, text: str = FOREST) -> int:
    (new,) = night.learns(text)
    with night.world.database.write() as db:
        links.link(db, new, 7, "contradicts", 0.8, night.clock.at)
    return new


def counts(**some: int) -> dict[str, int]:
    return {"updated": 0, "kept": 0, "withdrawn": 0, "refused": 0, "left": 0, **some}


async def test_nothing_is_judged_again_while_nothing_has_changed(held: Night) -> None:
    before, asked = held.everything, len(held.model.questions)
    assert await reconsolidation.step(held.world, held.cycle) == counts()
    assert held.everything == before and len(held.model.questions) == asked


async def test_new_evidence_updates_an_insight_and_both_stay_readable(held: Night) -> None:
    new = contradicted(held)
    held.says({"verdict": "update", "text": NEW, "memories": [1, new]})
    assert await reconsolidation.step(held.world, held.cycle) == counts(updated=1)
    (now,) = held.all("reflection", "active")
    assert (now.content, now.metadata["cites"]) == (NEW, [1, new])
    old = held.get(7)
    assert old.status == "superseded" and old.valid_to == held.clock.at
    assert (7, "updated_by", now.id) in held.links
    assert {*now.turn_ids} == {1, held.get(new).turn_ids[0]}


async def test_a_productive_contradiction_is_kept_and_asked_about_once(held: Night) -> None:
    new = contradicted(held)
    held.says({"verdict": "keep_both", "text": None, "memories": []})
    assert await reconsolidation.step(held.world, held.cycle) == counts(kept=1)
    assert held.get(7).status == "active" and held.get(7).metadata["productive"] == [new]
    before = held.everything
    assert await reconsolidation.step(held.world, held.cycle) == counts()
    assert held.everything == before
    more = contradicted(held, "They are bored by the sea these days.")
    held.says({"verdict": "withdraw"})
    assert await reconsolidation.step(held.world, held.cycle) == counts(withdrawn=1)
    assert held.get(7).status == "superseded" and FOREST in held.model.last_words and more


async def test_a_fact_that_ended_is_shown_with_the_one_in_its_place(night: Night) -> None:
    fact = {"subject": "user", "predicate": "lives_in"}
    night.learns("They live by the sea in Porto.", **fact, object="Porto")
    night.learns("They swim in the sea.", "They walk by the sea at night.", "They own a kite.", "They like rain.")
    text = "They live close to the sea and swim."
    night.says(QUESTIONS, found((text, [1, 2])))
    await insights.step(night.world, night.cycle)
    night.clock.pass_(days=1)
    with night.world.database.write() as db:
        memories.close(db, 1, night.clock.at)
    (new,) = night.learns("They live in Madrid.", **fact, object="Madrid")
    night.says(
        {"verdict": "update", "text": "They still swim in the sea, though they live in Madrid.", "memories": [2, new]}
    )
    assert await reconsolidation.step(night.world, night.cycle) == counts(updated=1)
    shown = night.model.last_words
    assert (
        shown.index("hold no more") < shown.index("sea in Porto") < shown.index("New evidence") < shown.index("Madrid")
    )


async def test_what_rests_on_nothing_any_more_is_withdrawn_without_asking(held: Night) -> None:
    with held.world.database.write() as db:
        db.execute("DELETE FROM memories WHERE id IN (1, 3, 4)")
    asked = len(held.model.questions)
    assert await reconsolidation.step(held.world, held.cycle) == counts(withdrawn=1)
    assert len(held.model.questions) == asked


async def test_the_forgotten_is_not_shown(held: Night) -> None:
    with held.world.database.write() as db:
        db.execute("DELETE FROM memories WHERE id=4")
    held.says({"verdict": "keep_both"})
    assert await reconsolidation.step(held.world, held.cycle) == counts(kept=1)
    assert SEA[3] not in held.model.last_words and "something that was forgotten" in held.model.last_words


async def test_a_duplicate_that_gave_way_is_no_change(held: Night) -> None:
    (twin,) = held.learns(SEA[2])
    with held.world.database.write() as db:
        memories.close(db, 3, held.clock.at)
        links.link(db, twin, 3, "supersedes", 1.0, held.clock.at)
    assert await reconsolidation.step(held.world, held.cycle) == counts()


@pytest.mark.parametrize(
    ("text", "cited", "reason"),
    [
        ("They go to the forest with Bruno after hard days.", [1], "'Bruno'"),
        (NEW, [1, 77], "no memory 77"),
        (NEW, [5, 6], "no memory 5"),
    ],
)
async def test_an_update_without_grounds_is_refused_and_the_rest_is_judged_by_rule(
    held: Night, text: str, cited: list[int], reason: str
) -> None:
    new = contradicted(held)
    ids = [*cited, new] if len(cited) == 1 else cited
    held.says({"verdict": "update", "text": text, "memories": ids})
    assert await reconsolidation.step(held.world, held.cycle) == counts(kept=1, refused=1)
    assert [one.content for one in held.all("reflection", "active")] == [TEXT]
    assert reason in held.refused[0][1]


async def test_it_is_not_kept_when_what_is_left_does_not_carry_it(held: Night) -> None:
    with held.world.database.write() as db:
        db.execute("DELETE FROM memories WHERE id IN (1, 3)")
    held.says({"verdict": "keep_both"})
    assert await reconsolidation.step(held.world, held.cycle) == counts(withdrawn=1)


async def test_a_broken_answer_leaves_the_insight_for_the_next_run(held: Night) -> None:
    contradicted(held)
    held.says('{"verdict": "perhaps"}', "{")
    assert await reconsolidation.step(held.world, held.cycle) == counts(left=1)
    assert held.get(7).status == "active"
    held.says({"verdict": "withdraw"})
    assert await reconsolidation.step(held.world, held.cycle) == counts(withdrawn=1)


async def test_with_nobody_to_ask_it_waits(held: Night) -> None:
    contradicted(held)
    held.says(NoMindAnswered("nobody"))
    assert "no model that can do this" in str((await reconsolidation.step(held.world, held.cycle))["skipped"])
    assert json.loads(json.dumps(held.get(7).metadata)).get("productive") is None
