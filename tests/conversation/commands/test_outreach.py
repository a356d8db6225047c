"""The buttons under what was said unasked: each does what it says, once, for the owner alone."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from furoshiki.conversation.commands import outreach
from furoshiki.conversation.worker import Worker
from furoshiki.messages.store import skill_runs
from furoshiki.mind.outreach.store import decisions, kinds
from furoshiki.owner.agenda.store import mind_queue, tasks
from furoshiki.world import World
from tests.support.people import Somebody
from tests.support.unasked import in_telegram, writes_first
from tests.support.world import FrozenClock, Human

ASKED = "I would like to ask them: how was the interview?"


@pytest.fixture
def ours(world: World) -> Human:
    owned = in_telegram(world)
    return Human(owned, Worker(owned))


async def presses(human: Human, data: str) -> list[str]:
    """Press a button, as a real one comes in."""
    return await human.says("", "callback", data=data)


def state(world: World, item_id: int) -> tuple[Any, ...]:
    with world.database.read() as db:
        row = db.execute("SELECT state, not_before FROM mind_queue WHERE id=?", (item_id,)).fetchone()
    return tuple(row)


async def test_later_brings_the_same_matter_up_again_in_two_hours(ours: Human, clock: FrozenClock) -> None:
    number = writes_first(ours.world, ASKED, "How was it?")
    assert await presses(ours, f"outreach.later:{number}") == ["I will come back to it today at 17:00."]
    clock.pass_(minutes=30)
    assert await presses(ours, f"outreach.later:{number}") == ["I will come back to it today at 17:00."]
    with ours.world.database.read() as db:
        assert mind_queue.candidates(db, clock.now()) == []
        [again] = mind_queue.candidates(db, clock.now() + timedelta(minutes=90))
    assert again.summary == ASKED
    assert "you wanted to hear it again later; at the earliest today at 17:00" in (await ours.says("/why not"))[0]


async def test_what_is_settled_by_then_is_not_brought_up_again(ours: Human, clock: FrozenClock) -> None:
    with ours.world.database.write() as db:
        task = tasks.add(db, "user_work", "write the report", clock.now())
    number = writes_first(ours.world, "The report", "How goes the report?", "reminder", source=f"tasks:{task}")
    with ours.world.database.write() as db:
        tasks.set_state(db, task, "done", clock.now())
    assert await presses(ours, f"outreach.later:{number}") == [outreach.SETTLED]
    assert state(ours.world, 1)[0] == "sent"


async def test_less_lowers_the_weight_of_its_kind_and_leaves_more_room_once(ours: Human) -> None:
    number = writes_first(ours.world, ASKED, "How was it?")
    before = ours.world.state.heartbeat().user_needs["space"]
    assert await presses(ours, f"outreach.less:{number}") == [outreach.FEWER]
    after = ours.world.state.heartbeat().user_needs["space"]
    assert after.level > before.level and after.confidence > before.confidence
    with ours.world.database.read() as db:
        learned, one = kinds.get(db, "question"), decisions.get(db, number)
        [row] = db.execute("SELECT need, cause FROM user_needs_history WHERE need='space'").fetchall()
    assert (learned.weight, learned.disliked) == (pytest.approx(0.6), 1)
    assert one is not None and one.outcome == "disliked"
    assert row["cause"] == outreach.PRESSED
    assert await presses(ours, f"outreach.less:{number}") == [outreach.KNOWN]
    assert ours.world.state.heartbeat().user_needs["space"].level == after.level
    with ours.world.database.read() as db:
        assert kinds.get(db, "question") == learned
    assert (await ours.says("/why all"))[0].endswith("You did not like it.")


@pytest.mark.parametrize("data", ["outreach.later:99", "outreach.less:99"])
async def test_what_nobody_knows_any_more_is_over(ours: Human, data: str) -> None:
    assert await presses(ours, data) == [outreach.OVER]


@pytest.mark.parametrize("data", ["outreach.later:x", "outreach.never:1", "outreach.less:", "outreach.less:²"])
async def test_nonsense_does_nothing(ours: Human, data: str) -> None:
    writes_first(ours.world, ASKED, "How was it?")
    assert await presses(ours, data) == []


async def test_a_member_presses_in_vain(owner: Somebody, member: Somebody) -> None:
    number = writes_first(in_telegram(owner.world), ASKED, "How was it?")
    for verb in ("later", "less"):
        assert await member.says("", "callback", data=f"outreach.{verb}:{number}") == []
    assert state(owner.world, 1)[0] == "sent"
    with owner.world.database.read() as db:
        assert kinds.every(db) == {}


async def test_undo_takes_either_back(ours: Human, clock: FrozenClock) -> None:
    number = writes_first(ours.world, ASKED, "How was it?")
    await presses(ours, f"outreach.later:{number}")
    await presses(ours, f"outreach.less:{number}")
    with ours.world.database.read() as db:
        assert skill_runs.statistics(db, clock.now() - timedelta(days=1)) == {}, "a button is no skill"
        assert skill_runs.results(db, clock.now() - timedelta(days=1), 5) == []
    assert await ours.says("/undo") == ["Then I'll bring such things up as before."]
    with ours.world.database.read() as db:
        known = kinds.get(db, "question")
        one = decisions.get(db, number)
    assert (known.weight, known.disliked) == (1.0, 0)
    assert one is not None and one.outcome == "answered"
    assert await ours.says("undo that") == ["Then I do not come back to it."]
    assert state(ours.world, 1)[0] == "dropped"
    assert await ours.says("/undo") == ["There is nothing I can take back."]
