"""One line a memory, written again beside its neighbours; a line that says something else is not taken."""

from __future__ import annotations

from typing import Any

import pytest

from furoshiki.core.errors import NoMindAnswered
from furoshiki.memory.rules.one_line import compress
from furoshiki.mind.consolidation.synthesis import recompression
from tests.support.nights import near
from tests.support.thinking import Night

COFFEE = (
    "They told me that most days they drink their coffee without any sugar, ever since the doctor's visit in Porto.",
    "They do not take sugar in their tea either, except when they visit their aunt Rosa.",
)
ONE, TWO = "coffee without sugar since the doctor's visit", "do not take sugar in tea, except at aunt Rosa's"


def lines(*pairs: tuple[int, str]) -> dict[str, Any]:
    return {"lines": [{"memory": memory, "line": line} for memory, line in pairs]}


async def test_lines_are_written_again_with_the_cluster_in_sight_and_once(night: Night) -> None:
    night.learns(*COFFEE)
    night.says(lines((1, ONE), (2, TWO)))
    counts = await recompression.step(night.world, night.cycle, near([1, 2]))
    assert counts == {"written": 2, "by_rule": 2, "refused": 0}
    assert [night.get(one).compressed for one in (1, 2)] == [ONE, TWO]
    assert COFFEE[0] in night.model.last_words and COFFEE[1] in night.model.last_words
    before = night.everything
    await recompression.step(night.world, night.cycle, near([1, 2]))
    assert night.everything == before
    night.learns("They take honey in their tea.")
    night.says(lines((3, "honey in tea")))
    assert (await recompression.step(night.world, night.cycle, near([1, 2, 3])))["written"] == 1


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ((2, "takes sugar in tea at aunt Rosa's"), "denied"),
        ((1, "coffee without sugar since Bruno's visit"), "'Bruno'"),
        ((1, "coffee without sugar " * 8), "characters"),
        ((1, ""), "says nothing"),
        ((77, ONE), "no memory 77"),
        ((2, "no worries about spiders and heights"), "none of its words"),
    ],
)
async def test_a_line_that_says_something_else_is_not_taken(night: Night, line: tuple[int, str], reason: str) -> None:
    night.learns(*COFFEE)
    other = (3 - line[0], TWO if line[0] == 1 else ONE) if line[0] < 3 else (1, ONE)
    night.says(lines(line, other))
    counts = await recompression.step(night.world, night.cycle, near([1, 2]))
    assert (counts["written"], counts["refused"]) == (1, 1)
    assert reason in night.refused[0][1]
    if line[0] < 3:
        assert night.get(line[0]).compressed == compress(COFFEE[line[0] - 1])


async def test_without_a_model_every_memory_has_a_line_by_rule(night: Night) -> None:
    night.learns(*COFFEE)
    night.says(NoMindAnswered("no key"))
    counts = await recompression.step(night.world, night.cycle, near([1, 2]))
    assert counts["by_rule"] == 2 and "no model that can do this" in counts["skipped"]
    assert [night.get(one).compressed for one in (1, 2)] == [compress(one) for one in COFFEE]


async def test_no_model_is_asked_for_memories_that_are_brief_already(night: Night) -> None:
    night.learns("They have a cat named Momo.", "Momo is an orange cat.")
    counts = await recompression.step(night.world, night.cycle, near([1, 2]))
    assert counts == {"written": 0, "by_rule": 2, "refused": 0}
    assert not night.model.questions
    assert night.get(1).compressed == "They have a cat named Momo."


async def test_clusters_stay_together_in_bounded_questions(night: Night) -> None:
    kites = [f"{'abcdefghij'[n // 10]}{'abcdefghij'[n % 10]}" for n in range(50)]
    texts = [f"They own kite number {kite}, which they sewed themselves for the fair." for kite in kites]
    ids = night.learns(*texts)
    night.says(*[lines()] * 10)
    await recompression.step(night.world, night.cycle, near(ids[:15], ids[15:30], ids[30:35], ids[35:50]))
    shown = [question.messages[0].text.count("kite number") for question in night.model.questions]
    assert shown == [15, 15, 20]
