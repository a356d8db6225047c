"""What it is curious about and can find out itself, the companion looks up by day: in memory and its own documents."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from furoshiki.archive.forgetting import forgetting
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.mind.inner_life import due
from furoshiki.mind.inner_life.journal import contemplation
from furoshiki.mind.inner_life.questions import processing, triage
from furoshiki.mind.inner_life.rules.documents import Chunk
from furoshiki.mind.inner_life.store import design_docs, self_questions
from furoshiki.models.llm.values import Question
from furoshiki.recall.retrieval.recall import recall
from tests.support.questioning import lives
from tests.support.thinking import SEA, Night
from tests.support.thinking import night as night
from tests.support.wondering import sort, wonder
from tests.support.world import FrozenClock

WHEN = "When do I look back at the day?"
TOLD = "How often did they speak of the sea?"
TIMES = Chunk("About me \u203a When I sleep", "I do not sleep.\n- Daily 15:00 UTC: A look back at the day so far.")
ANSWER = "I look back at the day so far daily at 15:00."


def wonders(night: Night, *texts: str) -> None:
    wonder(night.world, texts, "inner_monologue:1", kind="curiosity")


def documents(night: Night, *chunks: Chunk) -> list[int]:
    with night.world.database.write() as db:
        design_docs.keep(db, {"reality": chunks}, night.world.now)
        return [one.id for one in design_docs.every(db)]


def found(night: Night, verdict: str = "answered", answer: str | None = ANSWER, *cites: str, **more: Any) -> None:
    night.says({"verdict": verdict, "answer": answer, "cites": list(cites), **more})


def state(night: Night, question_id: int = 1) -> tuple[str, str | None]:
    with night.world.database.read() as db:
        one = self_questions.get(db, question_id)
    assert one is not None
    return one.state, one.answer


async def test_a_tick_explores_one_and_what_it_finds_becomes_a_self_observation(night: Night) -> None:
    [part] = documents(night, TIMES)
    wonders(night, WHEN)
    found(night, "answered", ANSWER, f"[design:{part}]", raises="Why do I look back so early?")
    report = await lives(night.world)
    assert report.data["explored"] == "answered"
    assert state(night) == ("answered", ANSWER)
    [kept] = night.all("reflection")
    assert kept.content == f"I looked up how I work: {ANSWER}"
    assert (kept.category, kept.source_tag, kept.turn_ids) == ("self", "internal_consolidation", ())
    assert kept.metadata == {"answers": 1, "rests_on": [], "design": [part]}
    [question] = night.model.questions
    assert (question.tier, question.purpose) == ("fast", "self_exploration")
    assert f"[design:{part} \u00b7 {TIMES.heading}] I do not sleep." in question.messages[0].text
    assert state(night, 2) == ("open", None), "what it raised is open"
    near = recall(night.world, "look back at the day", k=5, now=night.world.now)
    assert f"memory:{kept.id}" in [one.id for one in near], "and it can be recalled"


async def test_what_rests_on_memories_names_the_words_it_rests_on(night: Night) -> None:
    ids = night.learns(*SEA)
    documents(night, TIMES)
    wonders(night, TOLD)
    text = "They spoke of the sea after hard days and at night after the late ship."
    found(night, "answered", text, f"memory:{ids[0]}", f"memory:{ids[3]}")
    assert (await lives(night.world)).data["explored"] == "answered"
    [kept] = night.all("reflection")
    assert kept.content == f"I asked myself: {TOLD} {text}"
    assert kept.turn_ids == (*night.get(ids[0]).turn_ids, *night.get(ids[3]).turn_ids)
    assert [one[2] for one in night.links] == [ids[0], ids[3]]


@pytest.mark.parametrize(
    ("answer", "cites", "reason"),
    [
        (ANSWER, ["design:99"], "there is no design:99"),
        (ANSWER, [], "rests on nothing"),
        ("I look back at the day at 16:00 UTC.", ["design:1"], "was never said"),
        ("I look back at their day at 15:00.", ["design:1"], "it speaks of 'their'"),
        ("They look back at the day at 15:00.", ["design:1"], "it speaks of 'They'"),
        ("I look back at the day at 15:00 with Anika.", ["design:1"], "it speaks of 'Anika'"),
        ("The day so far is looked back at daily.", ["design:1"], "does not speak of the companion"),
        ("My temper is inherited from wolves.", ["design:1"], "a reader"),
    ],
)
async def test_what_has_no_ground_is_listed_and_believed_nowhere(
    night: Night, answer: str, cites: list[str], reason: str
) -> None:
    night.learns(*SEA)
    documents(night, TIMES)
    wonders(night, WHEN)
    night.model.readings = {f"{WHEN} {answer}": "not supported"}
    found(night, "answered", answer, *cites)
    assert (await lives(night.world)).data["explored"] == "refused"
    [(content, why)] = night.refused
    assert content == answer and reason in why
    assert night.all("reflection") == []
    assert state(night) == ("open", None)


@pytest.mark.parametrize("half", ['{"verdict": "answ', "It is at three.", '{"verdict": "answered", "cites": "all"}'])
async def test_half_an_answer_is_an_event_and_the_question_waits(night: Night, half: str, clock: FrozenClock) -> None:
    [part] = documents(night, TIMES)
    wonders(night, WHEN)
    night.says(half, half)
    explored = (await lives(night.world)).data["explored"]
    assert explored in ("failed", "open")
    assert state(night) == ("open", None) and night.all("reflection") == []
    documents(night, TIMES, Chunk("More", "More about it."))
    clock.pass_(hours=21)
    documents(night, TIMES, Chunk("More", "Still more about it."))
    found(night, "answered", ANSWER, f"design:{part}")
    assert (await lives(night.world)).data["explored"] == "answered"


async def test_what_only_they_can_say_is_not_explored(night: Night) -> None:
    documents(night, TIMES)
    wonders(night, "Would they like a call on their birthday?")
    assert "explored" not in (await lives(night.world)).data
    assert night.model.questions == []


async def test_a_curiosity_is_left_alone_until_there_is_something_new(night: Night, clock: FrozenClock) -> None:
    documents(night, TIMES)
    wonders(night, WHEN)
    found(night, "open", None)
    await lives(night.world)
    for _ in range(8):
        clock.pass_(hours=12)
        assert not triage.explorable(night.world)
    documents(night, TIMES, Chunk("Journal", "I write it at night."))
    assert triage.explorable(night.world), "a document has changed"
    found(night, "open", None)
    await lives(night.world)
    clock.pass_(days=2)
    night.learns("They asked when I look back.")
    found(night, "open", None)
    assert (await lives(night.world)).data["explored"] == "open", "something was said"
    clock.pass_(days=2)
    night.learns("They asked it again.")
    assert not triage.explorable(night.world), "three times in vain are enough"


@pytest.mark.slow
async def test_a_day_explores_little_and_takes_it_from_the_days_thoughts(night: Night, clock: FrozenClock) -> None:
    documents(night, TIMES)
    night.learns(*SEA)
    wonders(night, *(f"How often did they speak of {what}?" for what in ("rain", "ships", "chess", "tea", "bread")))
    asked = []
    night.model.lines = [lambda question: asked.append(question.purpose) or '{"verdict": "open", "thought": null}'] * 90
    clock.pass_(hours=8)
    for _ in range(24 * 4):
        await lives(night.world)
        with night.world.database.read() as db:
            reason = due.run_micro_contemplation(db, night.world.now)
        if reason:
            await contemplation.contemplate(night.world)
        clock.pass_(minutes=15)
    assert asked.count("self_exploration") == due.EXPLORATIONS
    assert len(asked) == due.CONTEMPLATIONS


async def test_the_night_leaves_to_the_day_what_the_day_explores(night: Night) -> None:
    documents(night, TIMES)
    wonders(night, WHEN)
    await sort(night.world)
    assert not (await processing.process(night.world)).did
    assert night.model.questions == []


async def test_an_answer_falls_with_the_part_it_rests_on(night: Night, clock: FrozenClock) -> None:
    [part] = documents(night, TIMES)
    wonders(night, WHEN)
    found(night, "answered", ANSWER, f"design:{part}")
    await lives(night.world)
    clock.pass_(days=1)
    assert not (await processing.process(night.world)).did, "nothing has changed"
    [now] = documents(night, Chunk(TIMES.heading, "- Daily 18:00 UTC: A look back at the day so far."))
    with night.world.database.read() as db:
        assert due.run_question_processing(db, night.world.now)
    await processing.process(night.world)
    assert state(night) == ("open", None)
    assert [one.status for one in night.all("reflection")] == ["superseded"]
    later = ANSWER.replace("15:00", "18:00")
    found(night, "answered", later, f"design:{now}")
    await lives(night.world)
    assert state(night) == ("answered", later)


async def test_a_part_that_goes_while_it_is_read_carries_nothing(night: Night) -> None:
    [part] = documents(night, TIMES)
    wonders(night, WHEN)

    def while_asked(_question: Question) -> str:
        documents(night, Chunk("Other", "Another page."))
        return f'{{"verdict": "answered", "answer": "{ANSWER}", "cites": ["design:{part}"]}}'

    night.model.lines = [while_asked]
    assert (await lives(night.world)).data["explored"] == "open"
    assert night.all("reflection") == []


async def test_nothing_to_look_into_asks_nobody(night: Night) -> None:
    wonders(night, WHEN)
    assert (await lives(night.world)).data["explored"] == "open"
    assert night.model.questions == []


async def test_forgetting_a_talk_takes_what_rests_on_it_and_leaves_what_rests_on_documents(night: Night) -> None:
    ids = night.learns(*SEA)
    [part] = documents(night, TIMES)
    wonders(night, WHEN, TOLD)
    text = "They spoke of the sea after hard days."
    night.says(
        {"verdict": "answered", "answer": ANSWER, "cites": [f"design:{part}"]},
        {"verdict": "answered", "answer": text, "cites": [f"memory:{ids[0]}"]},
    )
    await lives(night.world)
    await lives(night.world)
    assert len(night.all("reflection")) == 2
    look = forgetting.look(night.world, "2026-03-24")
    assert forgetting.forget(night.world, "2026-03-24", look.token)
    assert [one.content for one in night.all("reflection")] == [f"I looked up how I work: {ANSWER}"]


def test_no_memory_about_the_user_lacks_a_source(night: Night) -> None:
    own = NewMemory(
        "reflection", "I do not sleep.", (), "internal_consolidation", category="self", metadata={"design": [1]}
    )
    others = (
        dataclasses.replace(own, metadata=None),
        dataclasses.replace(own, metadata={"design": []}),
        dataclasses.replace(own, type="semantic"),
        dataclasses.replace(own, category="preference"),
        dataclasses.replace(own, source_tag="external_user"),
        dataclasses.replace(own, subject="user", predicate="likes", object="tea"),
    )
    with night.world.database.write() as db:
        assert memories.add(db, own, night.world.now)
        for one in others:
            with pytest.raises(ValueError, match="needs the words it rests on"):
                memories.add(db, one, night.world.now)
