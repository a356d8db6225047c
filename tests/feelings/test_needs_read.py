"""What a conversation showed that the user needs: blended in at the next tick, once, wherever the tick was cut off."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from furoshiki.core.database import events
from furoshiki.feelings import heartbeat
from furoshiki.feelings.rules.user_needs import UserNeed
from furoshiki.mind.inner_life import soul_engine
from furoshiki.world import World
from tests.support.world import FrozenClock


def showed(world: World, ended_at: datetime, session: str = "s1", **levels: float) -> None:
    needs = [{"need": name, "level": level, "confidence": 0.8, "turns": [3]} for name, level in levels.items()]
    payload: dict[str, Any] = {"session": session, "ended_at": ended_at.isoformat(), "needs": needs}
    with world.database.write() as db:
        events.announce(db, heartbeat.NEEDS_READ, payload, world.now)


def history(world: World) -> list[tuple[str, str, str]]:
    with world.database.read() as db:
        rows = db.execute("SELECT need, evidence, cause FROM user_needs_history ORDER BY id").fetchall()
    return [(row["need"], row["evidence"], row["cause"]) for row in rows]


def test_a_reading_moves_a_need_once_and_is_written_down_with_its_evidence(world: World) -> None:
    showed(world, world.now, focus=0.9)
    soul_engine.tick(world)
    need = world.state.heartbeat().user_needs["focus"]
    assert (round(need.level, 3), round(need.confidence, 3), need.evidence) == (0.9, 0.8, (3,))
    soul_engine.tick(world)
    assert world.state.heartbeat().user_needs["focus"] == need
    assert history(world) == [("focus", "[3]", "reading of session s1")]


def test_old_and_new_level_are_weighed_by_how_sure_each_is(world: World, clock: FrozenClock) -> None:
    sure = UserNeed(0.2, 0.8, world.now, (1,))
    world.state.change(lambda beat: replace(beat, user_needs={**beat.user_needs, "focus": sure}))
    clock.pass_(hours=36)  # half as sure of the old one
    showed(world, world.now, focus=0.9)
    soul_engine.tick(world)
    need = world.state.heartbeat().user_needs["focus"]
    assert need.level == pytest.approx((0.2 * 0.4 + 0.9 * 0.8) / 1.2, abs=1e-5)
    assert need.confidence == pytest.approx(1 - 0.6 * 0.2, abs=1e-5)
    assert need.evidence == (1, 3)


def test_a_conversation_read_late_is_worth_as_much_less(world: World) -> None:
    showed(world, world.now - timedelta(hours=72), focus=0.9)
    soul_engine.tick(world)
    assert world.state.heartbeat().user_needs["focus"].confidence == pytest.approx(0.2, abs=1e-5)


def test_a_tick_killed_before_it_wrote_history_is_made_up_for(world: World) -> None:
    showed(world, world.now, "s1", focus=0.9)
    with world.database.read() as db:
        unread = events.unread(db, 0)
    world.state.change(heartbeat.apply_events(world.laws, unread, world.now))  # … and dead before its transaction
    soul_engine.tick(world)
    soul_engine.tick(world)
    assert world.state.heartbeat().user_needs["focus"].confidence == pytest.approx(0.8, abs=1e-5)
    assert history(world) == [("focus", "[3]", "reading of session s1")]
