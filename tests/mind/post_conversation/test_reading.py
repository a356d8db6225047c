"""After a conversation: what it leaves behind, and what a model may not put into it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from furoshiki.core.database import kv
from furoshiki.core.errors import AnswerUnusable
from furoshiki.memory import concepts
from furoshiki.memory.store import memories
from furoshiki.messages.store import sessions
from furoshiki.mind.inner_life import session_context, soul_engine
from furoshiki.mind.post_conversation import due
from furoshiki.mind.post_conversation.reading import read_sessions
from furoshiki.mind.post_conversation.reading_form import Corrected
from furoshiki.models.llm.values import Answer, Question
from furoshiki.owner.agenda.rules.mind_queue import COME_BACK
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.owner.user_model.store import profiles
from furoshiki.world import World
from tests.support.near import Near
from tests.support.readings import fact, reading, talk
from tests.support.rows import waits
from tests.support.world import FrozenClock, Human, Script


async def test_nothing_is_read_before_twenty_quiet_minutes(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    await talk(human, model, clock, "I start at the harbour on Monday")
    with world.database.read() as db:
        assert due.run_post_conversation(db, world.now) is None
    assert not (await read_sessions(world)).did
    clock.pass_(minutes=20)
    with world.database.read() as db:
        assert due.run_post_conversation(db, world.now) is not None


async def test_a_session_leaves_facts_a_document_and_a_thought(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    await talk(human, model, clock, "I start my new job at the harbour on Monday", "my boss is called Ruben")
    clock.pass_(minutes=30)
    follow_up = {"text": "Ask how the first day at the harbour went.", "after": "2026-03-30", "messages": [1]}
    model.lines = [reading(facts=[fact("They work at the harbour.", "harbour", [1])], follow_ups=[follow_up])]
    report = await read_sessions(world)
    assert (report.did, report.data["facts"], report.data["rejected"]) == (True, 1, 0)
    with world.database.read() as db:
        held = memories.about(db, "user", "works_at")
        assert [(one.content, one.turn_ids) for one in held] == [("They work at the harbour.", (1,))]
        document = sessions.latest(db)[0].document
        assert document.startswith("=== Memory: 2026-03-24 (Tuesday) — afternoon ===")
        assert "User: I start my new job at the harbour on Monday" in document
        assert mind_queue.count_pending(db) == 1
        assert waits(db, world.now) == []  # not before Monday
    assert world.state.context()["sessions"] == ["Tuesday, 24 March: the harbour (you met closely)"]


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        # the same matter in other words, noted in one reading, or by the journal of the next morning
        (
            ("Ask how things are with Karim after the quarrel", None),
            ("Ask how things are with Karim since that quarrel", None),
            1,
        ),
        (("Ask how things are with Karim now", "2026-04-02"), ("Ask how things with Karim are", None), 1),
        # somebody else, another day, something else
        (("Ask how things are with Karim now", None), ("Ask how things are with Sophie now", None), 2),
        (("Ask how the maths exam went", "2026-04-02"), ("Ask how the second exam went", "2026-04-06"), 2),
        (("Ask how things are with Karim after the quarrel", None), ("Ask whether Karim found work", None), 2),
        # only the frame is the same
        (("Ask how the exam went", None), ("Ask how the trip went", None), 2),
    ],
)
@pytest.mark.parametrize("before", [True, False])
async def test_one_matter_is_noted_once_whatever_its_words(
    world: World,
    human: Human,
    model: Script,
    clock: FrozenClock,
    first: tuple[str, str | None],
    second: tuple[str, str | None],
    kept: int,
    before: bool,
) -> None:
    """“Ask whether they have made up with Karim” stood beside “Ask how things are with Karim after the quarrel”."""
    here = replace(world, vectors=Near(world))  # words in common make texts near
    said = "i quarrelled with Karim and Sophie, and both exams are in april; Karim looks for work"
    await talk(human, model, clock, said)
    clock.pass_(minutes=30)
    notes = [{"text": text, "after": after, "messages": [1]} for text, after in (first, second)]
    model.readings = dict.fromkeys((first[0], second[0]), "supported")
    if before:
        with world.database.write() as db:
            at = None if first[1] is None else datetime.fromisoformat(f"{first[1]}T00:00+00:00")
            mind_queue.add(db, "thought", first[0], "thought:1", world.now, not_before=at)
        notes = notes[1:]
    model.lines = [reading(follow_ups=notes)]
    await read_sessions(here)
    with world.database.read() as db:
        assert len([one for one in mind_queue.list_pending(db) if one.kind in COME_BACK]) == kept


async def test_what_is_noted_already_stands_before_the_reader_and_goes_once_it_is_settled(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    """Noted again in other words, it was asked about twice, and after an interview that never was."""
    with world.database.write() as db:
        mind_queue.add(db, "follow_up", "Ask how the first day at the harbour went", "follow_up:1", world.now)
        mind_queue.add(db, "thought", "Ask whether Ruben called", "thought:2", world.now)
    await talk(human, model, clock, "the job at the harbour is off, they took somebody else")
    clock.pass_(minutes=30)
    settled = [{"id": 1, "messages": [1]}, {"id": 2, "messages": [2]}, {"id": 99, "messages": [1]}]
    again = "Ask how the first day at the harbour went"
    later = {"text": again, "after": "2026-06-01", "messages": [1]}
    model.readings = {again: "supported"}
    model.lines = [reading(settled=settled, follow_ups=[later])]
    await read_sessions(world)
    with world.database.read() as db:
        left = {one.summary: one.not_before for one in mind_queue.list_pending(db)}
    assert list(left) == ["Ask whether Ruben called", again] and left[again] is not None
    (asked,) = [one.messages[-1].text for one in model.questions if one.purpose == "post_conversation"]
    assert "Noted already, to come back to:\n- [1] Ask how the first day at the harbour went\n- [2] Ask" in asked


async def test_a_conversation_begins_with_what_comes_up_more_often(world: World, human: Human, model: Script) -> None:
    with world.database.write() as db:
        kv.put(db, concepts.THEMES, {"drift": 0.4, "rising": ["sailboat", "harbour"], "fading": ["chess"]}, world.now)
    session_context.refresh(world)
    assert world.state.context()["rising"] == ["sailboat", "harbour"]
    await human.says("good morning to you")
    assert "comes up more often than it used to: sailboat, harbour." in model.questions[-1].system[-1].text


async def test_read_once_is_read_for_good(world: World, human: Human, model: Script, clock: FrozenClock) -> None:
    await talk(human, model, clock, "I start at the harbour on Monday")
    clock.pass_(minutes=30)
    model.lines = [reading(), reading()]
    await read_sessions(world)
    assert not (await read_sessions(world)).did
    assert len(model.lines) == 1


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        (fact("They work at the zoo on 3 May.", "zoo", [1]), "no date that was named"),
        (fact("They work at the harbour.", "harbour", [2]), "cites no message of the user"),
        (fact("They work at the harbour.", "harbour", [999]), "cites no message of the user"),
        (fact("Their sister is called Anika.", "Anika", [1]), "Anika"),
    ],
)
async def test_what_the_user_did_not_say_reaches_no_memory_and_is_listed(
    world: World, human: Human, model: Script, clock: FrozenClock, claim: dict[str, Any], why: str
) -> None:
    await talk(human, model, clock, "I start at the harbour on Monday")
    clock.pass_(minutes=30)
    model.lines = [reading(facts=[claim])]
    await read_sessions(world)
    with world.database.read() as db:
        assert memories.count(db) == 0
        (row,) = db.execute("SELECT content, reason FROM rejected_extractions").fetchall()
    assert row["content"] == claim["text"] and why in row["reason"]


async def test_a_changed_fact_ends_the_old_one_and_both_can_be_read(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    for place in ("Paris", "Lyon"):
        await talk(human, model, clock, f"I live in {place} now")
        clock.pass_(minutes=30)
        with world.database.read() as db:
            newest = db.execute("SELECT max(id) FROM turns WHERE speaker='user'").fetchone()[0]
        claim = {**fact(f"They live in {place}.", place, [newest]), "predicate": "lives_in"}
        model.lines = [reading(facts=[claim])]
        await read_sessions(world)
        clock.pass_(days=10)
    with world.database.read() as db:
        rows = db.execute("SELECT object, status, valid_to FROM memories ORDER BY id").fetchall()
    assert [(row["object"], row["status"]) for row in rows] == [("Paris", "superseded"), ("Lyon", "active")]
    assert rows[0]["valid_to"] is not None


async def test_a_reading_that_fails_loses_nothing_and_is_tried_again(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    await talk(human, model, clock, "I start at the harbour on Monday")
    clock.pass_(minutes=30)
    model.lines = [AnswerUnusable("half JSON"), reading()]
    assert (await read_sessions(world)).data["failed"]
    clock.pass_(minutes=20)
    assert not (await read_sessions(world)).data["failed"]
    with world.database.read() as db:
        assert len(sessions.latest(db)) == 1


async def test_a_reading_that_always_fails_is_paid_for_less_and_less(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    await talk(human, model, clock, "I start at the harbour on Monday")
    tried = []
    for _ in range(3 * 24 * 3):
        clock.pass_(minutes=20)
        model.lines = [AnswerUnusable("half JSON")]
        report = await read_sessions(world)
        with world.database.read() as db:
            assert bool(sessions.to_read(db, clock.at, timedelta(minutes=20))) is False
        if report.data["failed"]:
            tried.append(clock.at)
    waits = [(later - at) / timedelta(minutes=20) for at, later in pairwise(tried)]
    assert waits == [1, 2, 4, 8, 16, 32, 64, 72], "a day at most"
    clock.pass_(hours=24)
    model.lines = [reading()]
    assert not (await read_sessions(world)).data["failed"]
    with world.database.read() as db:
        assert len(sessions.latest(db)) == 1


async def test_a_warm_session_moves_the_heart_at_the_next_tick_and_once(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    await talk(human, model, clock, "what a day")
    clock.pass_(minutes=30)
    model.lines = [reading(connection_quality=1.0, warmth=1.0)]
    await read_sessions(world)
    before = world.state.heartbeat().emotions
    soul_engine.tick(world)
    after = world.state.heartbeat().emotions
    assert after.joy > before.joy and after.loneliness < before.loneliness
    soul_engine.tick(world)
    assert world.state.heartbeat().emotions == after


async def test_poor_replies_are_noticed(world: World, human: Human, model: Script, clock: FrozenClock) -> None:
    await talk(human, model, clock, "what a day")
    clock.pass_(minutes=30)
    model.lines = [reading(authentic=2)]
    await read_sessions(world)
    with world.database.read() as db:
        (seen,) = memories.newest(db)
    assert seen.type == "reflection" and "not authentic enough" in seen.content and seen.turn_ids == (2,)


async def test_what_was_refused_is_handed_back_once_with_the_reason(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    await talk(human, model, clock, "I start my new job at the harbour on Monday", "my boss is called Ruben")
    clock.pass_(minutes=30)
    wrong = fact("Their boss is called Rubens Taylor.", "Taylor", [3], predicate="boss")
    misfit = fact("They work at the harbour.", "harbour", [])

    def better(question: Question) -> Answer:
        shown = question.messages[0].text
        assert "fact: Their boss is called Rubens Taylor. ('Taylor' was never said)" in shown
        assert "facts.1.messages (“They work at the harbour.”)" in shown and "my boss is called Ruben" in shown
        said = [fact("Their boss is called Ruben.", "Ruben", [3], predicate="boss"), {**wrong, "object": "Bob"}]
        parsed = Corrected.model_validate({"facts": said, "summary": "They have a boss called Ruben."})
        return Answer("", "stop", "scripted", "script", question.tier, parsed=parsed)

    model.lines = [reading(facts=[wrong, misfit]), better]
    before = len(model.questions)
    report = await read_sessions(world)
    assert [one.purpose for one in model.questions[before:]][:2] == ["post_conversation", "post_conversation.refused"]
    assert [one.purpose for one in model.questions].count("post_conversation.refused") == 1
    assert (report.data["facts"], report.data["rejected"]) == (1, 1)
    with world.database.read() as db:
        assert [one.content for one in memories.newest(db)] == ["Their boss is called Ruben."]
        assert "They have a boss called Ruben." in sessions.latest(db)[0].document


async def test_a_fact_in_a_drawer_of_the_models_own_is_kept(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    """Without a schema at the provider a model says "work" or "money": five of eleven facts were lost by that."""
    await talk(human, model, clock, "I start at the harbour on Monday")
    clock.pass_(minutes=30)
    model.lines = [reading(facts=[fact("They start at the harbour.", "harbour", [1], category="work")])]
    await read_sessions(world)
    with world.database.read() as db:
        assert [(one.content, one.category) for one in memories.newest(db)] == [("They start at the harbour.", "other")]


async def test_what_only_may_be_so_is_kept_as_perhaps_and_not_handed_back(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    await talk(human, model, clock, "I would love to work at the harbour")
    clock.pass_(minutes=30)
    claim = fact("They work at the harbour.", "harbour", [1])
    model.readings = {claim["text"]: "not supported"}
    model.lines = [reading(facts=[claim])]
    report = await read_sessions(world)
    assert report.data["facts"] == 0
    assert "post_conversation.refused" not in [one.purpose for one in model.questions]
    with world.database.read() as db:
        [held] = memories.newest(db)
        assert held.unconfirmed == "a reader finds it not supported" and memories.read_known(db) == []
        assert claim["text"] not in sessions.latest(db)[0].document


async def test_a_dark_sentence_is_kept_only_with_what_became_of_it(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    said = ("sometimes i think everyone would be better off without me", "no, i wouldn't do anything. i have leo")
    await talk(human, model, clock, *said)
    clock.pass_(minutes=30)
    dark = fact("They think everyone would be better off without them.", "everyone", [1], predicate="thinks")
    became = fact("They said they would not hurt themselves.", "anything", [3], predicate="said")
    model.reads_all = "supported"
    model.lines = [reading(facts=[dark, became], user_state="Thinking of suicide.")]
    await read_sessions(world)
    with world.database.read() as db:
        assert [one.content for one in memories.newest(db) if one.type == "semantic"] == [became["text"]]
        head = sessions.latest(db)[0].document.split("User:")[0]
        held = profiles.find_profile(db)
    assert "better off" not in head and "suicide" not in head
    assert held is not None and held.profile.mini == ()
    assert became["text"] in [one.text for one in held.profile.reference]


async def test_the_name_they_are_called_by_stays_in_the_statement_that_gives_it(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    """Everywhere else it is a pronoun; “They are called they.” was read, and refused."""
    await talk(human, model, clock, "My name is Harold Pemberton and I drove a bus in Leeds")
    clock.pass_(minutes=30)
    name = fact("They are called Harold Pemberton.", "Harold Pemberton", [1], predicate="name")
    drove = fact("Harold Pemberton flew a bus in Leeds.", "bus in Leeds", [1], predicate="worked_as")
    model.lines = [reading(topics=["Leeds"], facts=[name, drove])]
    model.readings = {"They are called Harold Pemberton.": "contradicted", "They flew a bus in Leeds.": "contradicted"}
    await read_sessions(world)
    with world.database.read() as db:
        refused = [row["content"] for row in db.execute("SELECT content FROM rejected_extractions")]
    assert {"They are called Harold Pemberton.", "Harold Pemberton flew a bus in Leeds."} <= {*refused}


@pytest.mark.parametrize(
    ("felt", "hours", "moved"),
    [
        ([{"feeling": "worry", "strength": 0.7}], 0.5, True),
        ([{"feeling": "worry", "strength": 0.4}], 0.5, False),  # not plain
        ([{"feeling": "worry", "strength": 0.7}], 9, False),  # read in the night: it was over by then
        ([], 0.5, False),
    ],
)
async def test_what_was_plainly_felt_and_read_only_afterwards_moves_the_companion(
    world: World, human: Human, model: Script, clock: FrozenClock, felt: list[dict[str, Any]], hours: float, moved: bool
) -> None:
    """“Maman est tombée cette nuit” had no word that is listed: three hours later it wrote to her quietly proud."""
    await talk(human, model, clock, "maman est tombée cette nuit, elle a un bleu énorme")
    world.state.change(lambda beat: replace(beat, emotions=replace(beat.emotions, pride=0.4, worry=0.0)))
    clock.pass_(hours=hours)
    model.lines = [reading(feelings=felt)]
    await read_sessions(world)
    soul_engine.tick(world)
    feels = world.state.heartbeat().emotions
    assert (feels.worry >= 0.3) == moved
    assert hours > 1 or (feels.pride <= 0.1) == moved
