"""Insights are thought once, follow from what they cite, and are kept with the words they rest on."""

from __future__ import annotations

import json

import pytest

from furoshiki.core.errors import NoMindAnswered
from furoshiki.language.tokens import estimate
from furoshiki.memory.store import links
from furoshiki.mind.consolidation.synthesis import insights
from furoshiki.mind.consolidation.synthesis.asking import MATERIAL_TOKENS
from furoshiki.models.llm.values import Question
from tests.support.nights_insights import QUESTIONS, TEXT, found
from tests.support.reasons import reasons
from tests.support.thinking import SEA, Night


async def test_an_insight_is_kept_with_the_words_it_rests_on(night: Night) -> None:
    night.learns(*SEA)
    night.says(QUESTIONS, found((TEXT, [1, 3, 4])))
    assert await insights.step(night.world, night.cycle) == {"new": 1, "again": 0, "refused": 0}
    (held,) = night.all("reflection")
    assert (held.content, held.source_tag, held.turn_ids) == (TEXT, "internal_consolidation", (1, 3, 4))
    assert (held.alpha, held.beta) == (1.0, 4.0)
    assert held.compressed == TEXT
    with night.world.database.read() as db:
        assert links.list_targets(db, held.id, "informed_by") == [1, 3, 4]
    shown = reasons(night.world, f"memory:{held.id}")
    assert shown is not None
    assert [turn["text"] for turn in shown["turns"]] == [
        "I swim in the sea after hard days.",
        "The weeks at the harbour are hard when ships are late.",
        "I walked to the sea at night after the late ship.",
    ]


async def test_what_was_said_in_one_message_is_no_insight_however_often_it_was_noted(night: Night) -> None:
    ids = night.learns(*SEA)
    with night.world.database.write() as db:
        db.execute("DELETE FROM memory_sources")
        db.executemany("INSERT INTO memory_sources (memory_id, turn_id) VALUES (?, 1)", [(one,) for one in ids])
    night.says(QUESTIONS, found((TEXT, [1, 3, 4])))
    assert await insights.step(night.world, night.cycle) == {"new": 0, "again": 0, "refused": 1}
    assert night.all("reflection") == []


async def test_the_same_memories_are_thought_about_once(night: Night) -> None:
    night.learns(*SEA)
    night.says(QUESTIONS, found((TEXT, [1, 3, 4])))
    await insights.step(night.world, night.cycle)
    before, asked = night.everything, len(night.model.questions)
    night.clock.pass_(days=1)
    assert "skipped" in await insights.step(night.world, night.cycle)
    assert night.everything == before
    assert len(night.model.questions) == asked


async def test_the_same_insight_again_grows_instead_of_doubling(night: Night) -> None:
    night.learns(*SEA)
    night.says(QUESTIONS, found((TEXT, [1, 3])))
    await insights.step(night.world, night.cycle)
    night.clock.pass_(days=1)
    (new,) = night.learns("They went to the sea when the harbour was hard today.")
    night.says(QUESTIONS, found((TEXT.lower(), [1, new])))
    assert await insights.step(night.world, night.cycle) == {"new": 0, "again": 1, "refused": 0}
    (held,) = night.all("reflection")
    assert held.alpha > 1.0
    assert held.metadata["cites"] == [1, 3, new]
    assert held.turn_ids[-1] == night.get(new).turn_ids[0]
    assert (held.id, "informed_by", new) in night.links


@pytest.mark.parametrize(
    ("text", "cited", "reason"),
    [
        (TEXT, [1, 999], "no memory 999"),
        (TEXT, [5, 6], "none of its words"),
        ("They go to the sea with Bruno after hard days.", [1, 3], "'Bruno'"),
        ("They are deeply afraid of failure and of their own father.", [1, 3], "none of its words"),
        (TEXT, [], "too few memories: 0"),
        (SEA[0], [1, 3], "again"),
    ],
)
async def test_what_does_not_follow_is_listed_and_not_kept(
    night: Night, text: str, cited: list[int], reason: str
) -> None:
    night.learns(*SEA)
    good = ("They look at the sea after hard weeks.", [1, 3])
    night.says(QUESTIONS, found((text, cited), good))
    assert await insights.step(night.world, night.cycle) == {"new": 1, "again": 0, "refused": 1}
    assert [one.content for one in night.all("reflection")] == [good[0]]
    ((content, why_not),) = night.refused
    assert content == text and reason in why_not


async def test_a_reader_decides_what_follows_in_whatever_words(night: Night) -> None:
    """A capable mind says it in words that no memory holds; another repeats their words for what nobody said."""
    true = "Water is where somebody worn out by their job recovers."
    false = "They swim in the sea at the harbour because the late ship frightened them."
    night.learns(*SEA)
    night.model.readings = {true: "supported", false: "not supported"}
    night.says(QUESTIONS, found((true, [1, 3, 4]), (false, [1, 3, 4])))
    assert await insights.step(night.world, night.cycle) == {"new": 1, "again": 0, "refused": 1}
    assert [one.content for one in night.all("reflection")] == [true]
    ((content, why_not),) = night.refused
    assert content == false and "reader" in why_not


async def test_a_reader_sees_memories_with_their_own_days(night: Night) -> None:
    """Shown as messages of the night itself, they all seemed to be said at four in the morning."""
    night.learns(*SEA)
    night.says(QUESTIONS, found((TEXT, [1, 3, 4])))
    await insights.step(night.world, night.cycle)
    (shown,) = night.model.shown
    day = night.get(1).created_at.strftime("%-d %B %Y")
    assert f"[1 · {day}] {SEA[0]}\n" in shown and "The lines begin" not in shown


@pytest.mark.parametrize(
    "broken",
    [
        '{"insights',
        '{"insights": [{"text": 7, "memories": "all"}]}',
        '{"insights": [{"text": "They go to the sea after hard days.", "memories": [1.5, null]}]}',
        "I would rather not.",
        "[]",
    ],
)
async def test_an_answer_that_does_not_fit_twice_is_given_up_and_tried_at_the_next_run(
    night: Night, broken: str
) -> None:
    night.learns(*SEA)
    night.says(QUESTIONS, broken, broken)
    assert "skipped" in await insights.step(night.world, night.cycle)
    assert night.events == ["consolidation_failed"]
    assert night.all("reflection") == []
    night.says(QUESTIONS, broken, found((TEXT, [1, 3])))  # mended at the second question
    assert (await insights.step(night.world, night.cycle))["new"] == 1


async def test_what_the_companion_said_is_no_evidence(night: Night) -> None:
    night.learns(*SEA[:4])
    night.learns("They love the sea at the harbour.", speaker="companion")
    assert await insights.step(night.world, night.cycle) == {"skipped": "too little to think about: 4 memories"}
    night.learns(SEA[4])
    night.says(QUESTIONS, found((TEXT, [5, 1])))
    await insights.step(night.world, night.cycle)
    assert all("love the sea" not in question.messages[0].text for question in night.model.questions)
    assert night.all("reflection")[0:] == []
    assert "no memory 5" in night.refused[0][1]


async def test_insights_are_no_evidence_for_insights(night: Night) -> None:
    night.learns(*SEA)
    night.says(QUESTIONS, found((TEXT, [1, 3])))
    await insights.step(night.world, night.cycle)
    night.learns("They bought a kite.")
    night.says(QUESTIONS, found())
    await insights.step(night.world, night.cycle)
    assert TEXT not in night.model.last_words


async def test_no_more_than_five_insights_from_three_questions(night: Night) -> None:
    night.learns(*SEA)
    verbs = ["seek", "watch", "paint", "photograph"]
    texts = [f"They {verb} the sea after hard days at the harbour." for verb in verbs]
    texts += ["They walked at night because ships are late.", "They swim after late ships.", "They swim at night."]
    many = {"questions": [f"What of the sea, number {n}?" for n in range(6)]}
    night.says(many, found(*((text, [1, 3, 4]) for text in texts)))
    counts = await insights.step(night.world, night.cycle)
    assert counts["new"] + counts["again"] + counts["refused"] == insights.MOST
    assert night.model.last_words.count("What of the sea") == 3


async def test_what_is_forgotten_while_it_is_thought_about_leaves_no_insight(night: Night) -> None:
    night.learns(*SEA)

    def forget(_question: Question) -> str:
        with night.world.database.write() as db:
            db.execute("DELETE FROM memories WHERE id=3")
        return json.dumps(found((TEXT, [1, 3])))

    night.model.lines = ['{"questions": ["What of the sea at the harbour?"]}', forget]
    counts = await insights.step(night.world, night.cycle)
    assert counts["new"] == 0
    assert night.all("reflection") == []


async def test_a_budget_that_is_spent_leaves_the_work_for_tomorrow(night: Night) -> None:
    night.learns(*SEA)
    night.says(NoMindAnswered("today's budget is spent"))
    assert "no model that can do this" in (await insights.step(night.world, night.cycle))["skipped"]
    night.says(QUESTIONS, found((TEXT, [1, 3])))
    assert (await insights.step(night.world, night.cycle))["new"] == 1


async def test_an_answer_cut_in_half_leaves_nothing_half(night: Night) -> None:
    night.learns(*SEA)
    whole = json.dumps(found((TEXT, [1, 3]), ("They look at the sea after hard weeks.", [1, 3])))
    night.says(QUESTIONS, whole[: len(whole) - 30])
    await insights.step(night.world, night.cycle)
    assert [one.content for one in night.all("reflection")] in ([TEXT], [])


async def test_one_question_shows_no_more_than_its_budget(night: Night) -> None:
    night.learns(*(f"They wrote {'abcdefghij'[n % 10] * 400} about the sea." for n in range(120)))
    night.says(QUESTIONS, found())
    await insights.step(night.world, night.cycle)
    for question in night.model.questions:
        assert estimate(question.messages[0].text) < 1.1 * MATERIAL_TOKENS
        assert question.max_tokens <= 1500


@pytest.mark.parametrize(("part", "tier"), [("questions", "fast"), ("insights", "reflect")])
async def test_each_part_is_asked_of_its_tier_and_told_apart_in_the_ledger(night: Night, part: str, tier: str) -> None:
    night.learns(*SEA)
    night.says(QUESTIONS, found())
    await insights.step(night.world, night.cycle)
    asked = {question.purpose: question for question in night.model.questions}
    assert asked[f"consolidation.{part}"].tier == tier
    assert (asked[f"consolidation.{part}"].turn_key or "").startswith("consolidation:night:")
