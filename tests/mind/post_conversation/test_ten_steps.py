"""What a reading leaves behind besides facts: how it felt, what they need, and what the companion sees in itself."""

from __future__ import annotations

from typing import Any

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.app.wiring import lexicon
from furoshiki.feelings.store import emotional_weights
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import sessions, turns
from furoshiki.messages.values import NewTurn
from furoshiki.mind.inner_life import soul_engine
from furoshiki.mind.inner_life.store import self_questions
from furoshiki.mind.post_conversation.reading import read_sessions
from furoshiki.owner.user_model import user
from furoshiki.world import World
from tests.support.readings import fact, reading, talk
from tests.support.rows import waits
from tests.support.world import START, FrozenClock, Human, Script

SAD = "I cried all morning, the cat died and I miss her"
PRETENDED = {
    "value": "You do not pretend to have done what you have not done.",
    "message": 2,
    "question": "Why did I say that I talked to Anika, although I do not pretend to have done what I have not done?",
}


def rejected(world: World) -> dict[str, str]:
    with world.database.read() as db:
        rows = db.execute("SELECT kind, reason FROM rejected_extractions").fetchall()
    return {row["kind"]: row["reason"] for row in rows}


async def heard(world: World, clock: FrozenClock, *lines: str) -> None:
    """A session that is over: theirs and the companion's lines by turns."""
    with world.database.write() as db:
        for number, line in enumerate(lines):
            speaker = "companion" if number % 2 else "user"
            turns.add(db, NewTurn("s1", "console", "me", speaker, line, world.now))
    clock.pass_(minutes=30)


async def test_a_session_weighs_what_it_felt_like(world: World, model: Script, clock: FrozenClock) -> None:
    await heard(world, clock, SAD, "Oh no.")
    moved = {"text": "Their cat died and they miss her.", "messages": [1]}
    model.lines = [reading(feelings={"sadness": 0.9, "warmth": 0.3}, intensity=0.9, moved_by=moved)]
    await read_sessions(world)
    with world.database.read() as db:
        (weight,) = emotional_weights.since(db, START)
    assert weight.feelings == {"sadness": 0.9, "warmth": 0.3} and weight.note == moved["text"]
    assert (weight.valence, weight.intensity, weight.turn_ids) == (-0.4, 0.9, (1,))
    assert (weight.connection_quality, weight.warmth, weight.session_id) == (0.8, 0.7, "s1")


async def test_what_moved_them_must_stand_in_their_words(world: World, model: Script, clock: FrozenClock) -> None:
    await heard(world, clock, SAD, "Your sister must be sad too.")
    model.lines = [reading(moved_by={"text": "Their sister is sad about the divorce.", "messages": [1]})]
    await read_sessions(world)
    with world.database.read() as db:
        (weight,) = emotional_weights.since(db, START)
    assert weight.note == "" and weight.turn_ids == (1,) and "moved_by" in rejected(world)


async def test_a_need_shown_in_a_session_is_told_in_the_next_prompt_and_fades_with_silence(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    await talk(human, model, clock, "so that was today")
    clock.pass_(minutes=30)
    need = {"need": "emotional_support", "level": 0.9, "confidence": 0.8, "messages": [1]}
    model.lines = [reading(user_needs=[need])]
    await read_sessions(world)
    soul_engine.tick(world)
    listen = world.laws.user_needs.directives["emotional_support"]
    for hours, told in ((0, True), (30, True), (12, False)):  # at last a good deal less than half as sure
        clock.pass_(hours=hours)
        await human.says("hm")
        assert (listen in model.last_words) is told


async def test_a_need_that_cites_nothing_of_theirs_changes_nothing(
    world: World, model: Script, clock: FrozenClock
) -> None:
    await heard(world, clock, "so that was today", "You need room, I think.")
    needs = [
        {"need": "space", "level": 0.9, "confidence": 1.0, "messages": [2]},
        {"need": "focus", "level": 0.9, "confidence": 1.0},
    ]
    model.lines = [reading(user_needs=needs)]
    await read_sessions(world)
    soul_engine.tick(world)
    known = world.state.heartbeat().user_needs
    assert known["space"].evidence == known["focus"].evidence == ()
    with world.database.read() as db:
        assert db.execute("SELECT count(*) FROM user_needs_history").fetchone()[0] == 0
    assert "no message of the user" in rejected(world)["user_need"]


async def test_a_reply_against_a_value_becomes_a_question_to_itself(
    world: World, model: Script, clock: FrozenClock
) -> None:
    await heard(world, clock, "can you ask Anika?", "I talked to Anika, she is glad.", "really?", "Yes.")
    model.lines = [reading(contradictions=[PRETENDED])]
    await read_sessions(world)
    assert "You do not pretend to have done what you have not done." in model.questions[0].system[1].text
    with world.database.read() as db:
        (asked,) = self_questions.list_pending(db)
    assert asked.question == PRETENDED["question"] and asked.source == "sessions:s1"


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"message": 1}, "not a reply of the companion"),
        ({"message": 77}, "not a reply of the companion"),
        ({"value": "You never speak about the weather."}, "not one of its values"),
        ({"question": "Why did I hide the tumour of Anika's mother, although she asked?"}, "not said"),
        ({"question": "I should not have pretended."}, "asks nothing"),
    ],
)
async def test_a_contradiction_that_cannot_be_shown_is_not_asked(
    world: World, model: Script, clock: FrozenClock, wrong: dict[str, Any], why: str
) -> None:
    await heard(world, clock, "can you ask Anika?", "I talked to Anika, she is glad.")
    model.lines = [reading(contradictions=[{**PRETENDED, **wrong}])]
    await read_sessions(world)
    with world.database.read() as db:
        assert self_questions.list_pending(db) == []
    assert why in rejected(world)["contradiction"]


async def test_a_value_it_has_learned_counts_as_its_own(world: World, model: Script, clock: FrozenClock) -> None:
    await heard(world, clock, "my boss shouted at me", "You should quit tomorrow.")
    text = "I ask before I give advice."
    with world.database.write() as db:
        value = NewMemory("reflection", text, (2,), source_tag="internal_consolidation", category="value")
        memories.add(db, value, world.now)
    question = "Why did I tell them to quit, although I ask before I give advice?"
    found = {"value": "I ask before I give advice", "message": 2, "question": question}
    model.lines = [reading(contradictions=[found])]
    await read_sessions(world)
    with world.database.read() as db:
        assert [one.question for one in self_questions.list_pending(db)] == [question]


async def test_the_document_lists_only_what_was_believed(world: World, model: Script, clock: FrozenClock) -> None:
    await heard(world, clock, "I start at the harbour on Monday", "The zoo is nice too.")
    model.lines = [
        reading(
            facts=[fact("They work at the harbour.", "harbour", [1]), fact("They work at the zoo.", "zoo", [1])],
            topics=["the harbour", "their divorce"],
            user_state="Grieving over the divorce.",
            summary="They start at the harbour on Monday. Their marriage to Ruben ended.",
            follow_ups=[
                {"text": "Ask how Monday at the harbour went.", "messages": [1]},
                {"text": "Ask how the divorce goes.", "messages": [1]},
            ],
        )
    ]
    await read_sessions(world)
    with world.database.read() as db:
        (found,) = sessions.latest(db)
        waiting = waits(db, world.now)
        listed = {row["kind"] for row in db.execute("SELECT kind FROM rejected_extractions")}
        perhaps = [one.content for one in memories.newest(db) if one.unconfirmed]
    head = found.document.split("User: ")[0]
    assert found.topics == ("the harbour",) and "They work at the harbour." in head
    assert not any(word in head for word in ("zoo", "divorce", "Ruben"))
    assert waiting == ["Ask how Monday at the harbour went."]
    assert listed == {"topic", "user_state", "summary", "follow_up"} and perhaps == ["They work at the zoo."]


async def test_poor_replies_are_seen_with_the_replies_themselves(
    world: World, model: Script, clock: FrozenClock
) -> None:
    await heard(world, clock, "one", "Amazing!", "two", "Wonderful!")
    with world.database.write() as db:
        turns.add(db, NewTurn("s1", "console", "me", "companion", "👍", world.now, kind="reaction"))
    clock.pass_(minutes=30)
    model.lines = [reading(authentic=1, grounded=2)]
    await read_sessions(world)
    with world.database.read() as db:
        seen = memories.newest(db)
    assert {one.content.split(" my replies ")[1] for one in seen} == {
        "were not authentic enough (1 of 5).",
        "were not grounded enough (2 of 5).",
    }
    assert {one.turn_ids for one in seen} == {(2, 4)}


async def test_the_built_in_mind_reads_feelings_and_needs_by_rule(
    world: World, model: Script, clock: FrozenClock
) -> None:
    mind = ReflexMind(world.rng, lexicon)
    await heard(world, clock, SAD, "I am here.", "the weather is grey", "It is.")
    model.lines = [lambda question: mind(question, why="no-model")]
    await read_sessions(world)
    soul_engine.tick(world)
    need = world.state.heartbeat().user_needs["emotional_support"]
    with world.database.read() as db:
        (weight,) = emotional_weights.since(db, START)
        assert self_questions.list_pending(db) == []
    assert weight.feelings["sadness"] >= 0.5 and weight.valence < 0
    assert need.level >= 0.5 and need.evidence == (1,)


@pytest.mark.parametrize("written", ["Deniz, at home Dendi", "Deniz (Dendi)", "Deniz，家里叫 Dendi"])
async def test_what_a_mind_writes_behind_a_name_is_none_of_it(
    world: World, model: Script, clock: FrozenClock, written: str
) -> None:
    await heard(world, clock, "I am Deniz, at home they call me Dendi (家里叫)", "Hello Deniz.")
    told = fact("They are called Deniz, at home Dendi.", written, [1], predicate="name", category="addressing")
    model.lines = [reading(facts=[told])]
    await read_sessions(world)
    with world.database.read() as db:
        assert user.name(db) == "Deniz"


async def test_a_wrong_predicate_renames_and_moves_nobody(world: World, model: Script, clock: FrozenClock) -> None:
    await heard(world, clock, "I start at the harbour on Monday", "Well done.")
    truth = fact("They start at the harbour on Monday.", "harbour", [1], subject="The user", event_time="2026-03-30")
    model.lines = [reading(facts=[{**truth, "predicate": name} for name in ("name", "lives_in", "is_a_murderer")])]
    await read_sessions(world)
    with world.database.read() as db:
        held = memories.newest(db)
        assert user.name(db) is None
    assert {(one.subject, one.predicate) for one in held} == {("user", "other")}
    assert {one.event_time.isoformat() for one in held if one.event_time} == {"2026-03-29T23:00:00+00:00"}
