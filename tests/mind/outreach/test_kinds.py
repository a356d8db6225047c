"""Every kind of thought comes to wait by itself, from where such a thing arises."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from furoshiki.extensions.plugins.broker import thoughts
from furoshiki.extensions.plugins.broker.caller import Caller
from furoshiki.extensions.plugins.values import Permissions
from furoshiki.feelings.heartbeat import settle
from furoshiki.feelings.rules.emotions import Emotions
from furoshiki.feelings.rules.laws import KINDS
from furoshiki.feelings.state_files import Heartbeat
from furoshiki.messages.store import turns
from furoshiki.messages.values import COMPANION, NewTurn
from furoshiki.mind.inner_life import soul_engine
from furoshiki.mind.inner_life.journal import monologue as journal
from furoshiki.mind.inner_life.journal.forms import Musing
from furoshiki.mind.inner_life.store import drift, monologue, self_questions
from furoshiki.mind.inner_life.store.drift import NewDrift
from furoshiki.mind.outreach import laws as all_laws
from furoshiki.mind.outreach import pulse, reply_queue
from furoshiki.mind.post_conversation.reading import read_sessions
from furoshiki.models.llm.values import Answer
from furoshiki.owner.agenda import task_nudges
from furoshiki.owner.agenda.store import mind_queue, operations, tasks
from furoshiki.owner.user_model.rules.profile import Gap, Profile
from furoshiki.owner.user_model.store import anticipations, profiles
from furoshiki.world import World
from tests.support.readings import reading, talk
from tests.support.world import FrozenClock, Human, Script


def kinds(world: World) -> set[str]:
    """Of everything that was ever put into the queue."""
    with world.database.read() as db:
        return {row["kind"] for row in db.execute("SELECT kind FROM mind_queue")}


def forlorn(world: World, beat: Heartbeat) -> Heartbeat:
    """A companion that misses somebody."""
    felt = {**beat.emotions.as_mapping(), "loneliness": 1.0, "joy": 0.0, "affection": 0.0, "contentment": 0.0}
    return settle(replace(beat, felt_at=world.now), Emotions.from_mapping(felt), world.laws, world.now)


async def test_each_has_its_producer(world: World, human: Human, model: Script, clock: FrozenClock) -> None:
    # a talk, and what it leaves behind
    await talk(human, model, clock, "I start my new job at the harbour on Monday")
    clock.pass_(minutes=30)
    model.lines = [reading(follow_ups=[{"text": "Ask how the first day at the harbour went.", "messages": [1]}])]
    await read_sessions(world)
    assert kinds(world) == {"follow_up"}
    # a night of thinking
    to_say = {"text": "Wish them luck for the new job on Monday.", "messages": [1]}
    read = Musing.model_validate({"entry": [{"text": "I keep coming back to that."}], "thoughts": [to_say]})
    model.lines = [Answer("", "stop", "scripted", "script", "reflect", parsed=read)]
    await journal.night(world)
    assert kinds(world) == {"follow_up", "thought"}
    # what comes to mind by itself
    with world.database.write() as db:
        entry = monologue.add(db, "morning", "2026-03-24", [], "local", 0, clock.at, item="a word")
        assert entry is not None
        need = "A quiet evening after the move."
        anticipations.add(db, entry, need, "said so", [], clock.at, clock.at + timedelta(days=9), clock.at)
        self_questions.add(db, "Would they like a boat of their own?", "inner_monologue:x", clock.at, kind="curiosity")
        drift.add(db, NewDrift("I am.", "I am calm.", "", 0.9, 0.2, (), (), "x", 0, "applied"), clock.at)
        profiles.put(db, Profile(gaps=(Gap("location", "Where do you live?", 0.0),)), "x", "local", clock.at)
    clock.pass_(hours=70)
    world.state.change(lambda beat: forlorn(world, beat))
    soul_engine.run(world)
    assert {"anticipation", "need", "growth", "question", "curiosity"} <= kinds(world)
    # what is finished, what only the owner decides
    with world.database.write() as db:
        for ok in (True, False):
            work = operations.begin(db, "search", f"ferries {ok}", "telegram", "7", clock.at)
            operations.end(db, work, ok, "17 of them", clock.at)
        drift.add(db, NewDrift("I am.", "I am you.", "", 0.5, 0.5, (), (), "x", 0, "proposed"), clock.at)
    clock.pass_(hours=2)
    assert pulse.gather(world) == 3
    assert {"skill_result", "task_update", "delegation"} <= kinds(world)
    # what is to be done, and what stays unanswered
    with world.database.write() as db:
        tasks.add(db, "user_work", "the report", clock.at)
        asked = next(one for one in mind_queue.candidates(db, clock.at) if one.kind == "question")
        assert mind_queue.went_out(db, asked.id, clock.at)
        words = NewTurn("s", "telegram", "7", COMPANION, "Where do you live?", clock.at, kind="outreach")
        reply_queue.expect(db, asked, 1, turns.add(db, words), clock.at, all_laws.current(world))
    with world.database.write() as db:
        db.execute(
            "INSERT INTO plugins (name, version, state, origin, pins, permissions, installed_at, changed_at) "
            "VALUES ('weather', '1', 'enabled', 'folder', '{}', '{}', '', '')"
        )
    assert thoughts.queue(world, Caller("weather", Permissions(write_mind_queue=True)), [{"summary": "Rain comes"}])
    clock.pass_(days=8)
    assert task_nudges.bring_up(world).did and pulse.gather(world) >= 1
    assert kinds(world) == set(KINDS)
