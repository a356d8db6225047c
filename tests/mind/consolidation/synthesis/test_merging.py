"""Memories that say nearly the same: one insight stands for them, and none of them is lost."""

from __future__ import annotations

from typing import Any

import pytest

from furoshiki.memory.store import memories
from furoshiki.mind.consolidation.synthesis import merging
from tests.support.nights import near
from tests.support.thinking import Night

COFFEE = (
    "They drink coffee without sugar.",
    "They take their coffee black, without sugar.",
    "They like coffee ice cream.",
)
TEXT = "They drink their coffee black and without sugar."


def merged(text: str | None, ids: list[int]) -> dict[str, Any]:
    return {"text": text, "memories": ids}


async def test_an_insight_stands_for_its_memories_which_stay(night: Night) -> None:
    night.learns(*COFFEE)
    night.says(merged(TEXT, [1, 2]))
    assert await merging.step(night.world, night.cycle, near([1, 2])) == {"merged": 1, "refused": 0, "left": 0}
    (held,) = night.all("reflection")
    assert (held.content, held.turn_ids) == (TEXT, (1, 2))
    assert night.links == [(held.id, "supersedes", 1), (held.id, "supersedes", 2)]
    assert [night.get(one).status for one in (1, 2)] == ["active", "active"]
    assert [night.get(one).beta for one in (1, 2, 3)] == pytest.approx([4.3, 4.3, 4.0])
    logged = night.rows("SELECT memory_id, evidence FROM consolidation_log WHERE operation='merged'")
    assert [row["memory_id"] for row in logged] == [1, 2]


async def test_the_same_cluster_is_merged_once(night: Night) -> None:
    night.learns(*COFFEE)
    night.says(merged(TEXT, [1, 2]))
    await merging.step(night.world, night.cycle, near([1, 2]))
    before = night.everything
    night.clock.pass_(days=1)
    assert await merging.step(night.world, night.cycle, near([1, 2])) == {"merged": 0, "refused": 0, "left": 0}
    assert night.everything == before


async def test_a_cluster_that_has_grown_gets_one_insight_in_the_place_of_the_old_one(night: Night) -> None:
    night.learns(*COFFEE[:2])
    night.says(merged(TEXT, [1, 2]))
    await merging.step(night.world, night.cycle, near([1, 2]))
    (old,) = night.all("reflection")
    (new,) = night.learns("They drink black coffee without sugar at night.")
    night.says(merged("They drink black coffee without sugar, also at night.", [1, 2, new]))
    # its own insight lies in the cluster, and is no evidence for itself
    await merging.step(night.world, night.cycle, near([1, 2, old.id, new]))
    assert TEXT in night.model.last_words
    (held,) = night.all("reflection", "active")
    assert night.get(old.id).status == "superseded"
    assert (old.id, "updated_by", held.id) in night.links
    assert [night.get(one).beta for one in (1, 2, new)] == pytest.approx([4.3, 4.3, 4.3])  # once each


@pytest.mark.parametrize(
    ("text", "ids", "reason"),
    [
        (TEXT, [1, 77], "no memory 77"),
        ("They drink tea with Bruno without sugar.", [1, 2], "'Bruno'"),
        ("They take 2 sugars in their coffee.", [1, 2], "2 was never said"),
        (TEXT, [1], "too few memories: 1"),
        ("They are afraid of spiders and heights.", [1, 2], "none of its words"),
    ],
)
async def test_a_sentence_that_says_more_than_they_do_is_refused_and_not_asked_for_again(
    night: Night, text: str, ids: list[int], reason: str
) -> None:
    night.learns(*COFFEE)
    night.says(merged(text, ids))
    assert (await merging.step(night.world, night.cycle, near([1, 2])))["refused"] == 1
    assert night.all("reflection") == []
    assert night.get(1).beta == 4.0
    ((content, why),) = night.refused
    assert content == text and reason in why
    asked = len(night.model.questions)
    await merging.step(night.world, night.cycle, near([1, 2]))
    assert len(night.model.questions) == asked


async def test_a_reader_finds_what_a_merge_adds_in_their_own_words(night: Night) -> None:
    night.learns(*COFFEE)
    added = "They drink their coffee black because sugar is bad for them."
    night.model.readings = {added: "not supported"}
    night.says(merged(added, [1, 2]))
    assert (await merging.step(night.world, night.cycle, near([1, 2])))["refused"] == 1
    assert night.all("reflection") == []


async def test_memories_that_are_not_the_same_after_all_stay_as_they_are(night: Night) -> None:
    night.learns(*COFFEE)
    night.says(merged(None, []))
    await merging.step(night.world, night.cycle, near([1, 3]))
    assert night.all("reflection") == [] and night.refused == [] and night.links == []


async def test_one_broken_answer_does_not_stop_the_night(night: Night) -> None:
    night.learns(*COFFEE, "They walk the dog at six.", "They walk their dog at six in the morning.")
    night.says("{", "{", merged("They walk their dog at six in the morning.", [4, 5]))
    counts = await merging.step(night.world, night.cycle, near([1, 2], [4, 5]))
    assert counts == {"merged": 1, "refused": 0, "left": 1}
    assert night.events == ["consolidation_failed"]
    night.says(merged(TEXT, [1, 2]))
    assert (await merging.step(night.world, night.cycle, near([1, 2], [4, 5])))["merged"] == 1


async def test_words_that_were_forgotten_meanwhile_are_not_brought_back(night: Night) -> None:
    from furoshiki.memory.store import tombstones

    night.learns(*COFFEE)
    night.clock.pass_(hours=1)
    with night.world.database.write() as db:
        tombstones.bury(db, "memory", TEXT, night.clock.at)
    night.says(merged(TEXT, [1, 2]))
    await merging.step(night.world, night.cycle, near([1, 2]))
    with night.world.database.read() as db:
        assert memories.with_content(db, TEXT) == []
    assert night.refused == []


async def test_what_was_said_in_another_language_lies_near_nothing(night: Night) -> None:
    """To the English encoder any two Italian sentences are alike."""
    said = (
        "They said: \u201cvivo a Moncalieri con la gatta\u201d",
        "They said: \u201ctre notti, e sono già stanca\u201d",
    )
    night.learns(*said, *COFFEE[:2])
    night.says(merged(TEXT, [3, 4]))
    assert await merging.step(night.world, night.cycle, near([1, 2], [3, 4])) == {"merged": 1, "refused": 0, "left": 0}
    assert not any(one in question.messages[-1].text for one in said for question in night.model.questions)


async def test_a_quotation_in_english_is_merged_as_before(night: Night) -> None:
    night.learns("They said: \u201ci take my coffee without sugar\u201d", COFFEE[0])
    night.says(merged("They drink coffee without sugar.", [1, 2]))
    assert (await merging.step(night.world, night.cycle, near([1, 2])))["merged"] == 1
