"""The soul engine's tick: drift, events once each, a line of history, and house-keeping; never a model."""

from __future__ import annotations

from datetime import timedelta

import pytest

from furoshiki.core.database import events
from furoshiki.messages.store import inbox, turn_journal
from furoshiki.mind.inner_life import soul_engine
from furoshiki.owner.agenda.store import mind_queue, operations
from furoshiki.world import World
from tests.support.rows import arrived
from tests.support.world import FrozenClock, Human, Script

WEEK = timedelta(days=7)


def announce(world: World, kind: str, **payload: float) -> int:
    with world.database.write() as db:
        return events.announce(db, kind, payload, world.now)


def history(world: World) -> list[str]:
    with world.database.read() as db:
        return [row["mood"] for row in db.execute("SELECT mood FROM emotion_history ORDER BY id")]


def test_a_quarter_of_an_hour_passes(world: World, clock: FrozenClock, model: Script) -> None:
    soul_engine.tick(world)
    before = world.state.heartbeat()
    clock.pass_(minutes=15)
    report = soul_engine.tick(world)
    after = world.state.heartbeat()
    assert after.emotions.loneliness == pytest.approx(before.emotions.loneliness + 0.01)
    assert report.data["moved"]["loneliness"] == pytest.approx(0.01)
    assert report.summary == f"{after.mood.word}; 0 events"
    assert (after.last_tick_at, after.felt_at) == (world.now, world.now)
    assert history(world) == [after.mood.word] * 2
    assert model.questions == []


def test_events_are_applied_once_and_ticked_off(world: World) -> None:
    announce(world, "pride_triggered")
    announce(world, "session_closed", connection_quality=0.8, warmth=0.6)
    assert soul_engine.tick(world).summary.endswith("2 events")
    proud = world.state.heartbeat().emotions
    with world.database.read() as db:
        assert events.unread(db, 0) == []
    assert soul_engine.tick(world).summary.endswith("0 events")
    assert world.state.heartbeat().emotions == proud


def test_an_event_that_moved_the_file_before_a_crash_does_not_move_it_again(world: World) -> None:
    """Killed between the file and the database: the file knows which events it has."""
    announce(world, "pride_triggered")
    soul_engine.tick(world)
    proud = world.state.heartbeat().emotions.pride
    with world.database.write() as db:
        db.execute("UPDATE system_events SET applied_at=NULL")
    announce(world, "pride_triggered")
    soul_engine.tick(world)
    assert world.state.heartbeat().emotions.pride == pytest.approx(2 * proud)
    with world.database.read() as db:
        assert events.unread(db, 0) == []


def test_a_lost_file_is_rebuilt_from_the_last_tick(world: World) -> None:
    announce(world, "pride_triggered")
    soul_engine.tick(world)
    felt = world.state.heartbeat().emotions
    world.state.heartbeat_path.write_text("{")
    assert world.state.heartbeat().emotions.as_mapping() == pytest.approx(felt.as_mapping(), abs=1e-6)
    soul_engine.tick(world)
    assert world.state.heartbeat().emotions.pride == pytest.approx(felt.pride)


def test_what_is_over_is_put_away(world: World, clock: FrozenClock) -> None:
    with world.database.write() as db:
        [row] = inbox.store(db, [arrived("a")], world.now)
        inbox.claim(db, world.now)
        inbox.finish(db, [row], world.now)
        turn_journal.write(db, "t1", [row], {}, [], world.now)
        turn_journal.mark_committed(db, "t1", world.now)
        mind_queue.add(db, "question", "why", "k1", world.now)
        work = operations.begin(db, "look", "it", "telegram", "7", world.now)
        operations.end(db, work, True, "found", world.now)
        operations.mark_read(db, (work,), world.now)
    soul_engine.tick(world)
    clock.pass_(days=8)
    soul_engine.tick(world)
    with world.database.read() as db:
        left = [db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ("inbox", "turn_journal")]
        states = [db.execute(f"SELECT state FROM {name}").fetchone()[0] for name in ("mind_queue", "operations")]
    assert (left, states, len(history(world))) == ([0, 0], ["expired", "archived"], 2)


def test_the_context_is_refreshed(world: World) -> None:
    soul_engine.tick(world)
    assert {"sessions", "thought", "related", "rising", "tasks"} <= set(world.state.context())


def test_a_month_of_silence_is_a_month_of_ticks(world: World, clock: FrozenClock) -> None:
    moods = set()
    for _ in range(30):
        soul_engine.tick(world)
        clock.pass_(hours=24)
        moods.add(world.state.heartbeat().mood.word)
    beat = world.state.heartbeat()
    assert beat.emotions.loneliness == 1.0
    assert "lonely" in moods
    assert len(history(world)) == 30


async def test_a_lost_heart_feels_again_what_was_said_since_the_last_tick(
    world: World, human: Human, clock: FrozenClock
) -> None:
    soul_engine.tick(world)
    clock.pass_(minutes=5)
    await human.says("I am so proud of you, this is wonderful!")
    await human.says("👍", kind="reaction", emoji=["👍", "❤"], reacted_to="1")
    felt = world.state.heartbeat()
    world.state.heartbeat_path.write_text("{")
    again = world.state.heartbeat()
    assert again.emotions.as_mapping() == pytest.approx(felt.emotions.as_mapping(), abs=1e-4)
    assert (again.last_message_id, again.last_message_at) == (felt.last_message_id, felt.last_message_at)
    levels = {name: need.level for name, need in felt.user_needs.items()}
    assert {name: need.level for name, need in again.user_needs.items()} == pytest.approx(levels)


async def test_reactions_are_signals_of_the_message_they_stand_on(world: World, human: Human) -> None:
    await human.says("hello there")
    before = world.state.heartbeat()
    await human.says("", kind="reaction", emoji=["😢", "❤"], reacted_to="101")
    after = world.state.heartbeat()
    assert after.emotions.affection > before.emotions.affection and after.emotions.worry > before.emotions.worry
    with world.database.read() as db:
        [row] = db.execute("SELECT id, reply_to, signals FROM turns WHERE kind='reaction'").fetchall()
    assert row["reply_to"] == 1 and "sadness" in row["signals"] and "warmth" in row["signals"]
    assert after.user_needs["emotional_support"].evidence == (row["id"],)
