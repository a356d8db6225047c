"""Words from the page: answered by the mind's process, seen growing, one conversation with every other channel."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from furoshiki.channels.local.live_reply import stage
from furoshiki.channels.local.mailbox import Mailbox
from furoshiki.messages.channels import WEB
from furoshiki.messages.store import accounts, turns
from furoshiki.messages.values import SESSION_GAP_SECONDS
from furoshiki.mind.outreach import reminders
from furoshiki.owner.agenda.store import tasks
from furoshiki.owner.agenda.store.tasks import REMINDERS
from furoshiki.world import World
from tests.support import world as shared
from tests.support.world import FrozenClock, Human, Script

clock, model, human = shared.clock, shared.model, shared.human
bare = shared.world


@pytest.fixture(name="stage")
def unwatched() -> shared.Watched:
    """The stage of the shared world, which the board of the page replaces."""
    return shared.Watched()


@pytest.fixture
def world(bare: World) -> World:
    return replace(bare, stage=lambda envelope: stage(bare.settings.data / "run", envelope))


@pytest.fixture
def page(world: World) -> Mailbox:
    return Mailbox(world.database, WEB)


async def test_it_is_one_conversation_with_telegram(world: World, page: Mailbox, human: Human, model: Script) -> None:
    model.lines = ["Madrid is lovely.", "Take the train, then.", "Have fun."]
    await human.says("we are going to Madrid in May")
    page.say("the train or the plane?", "m1", world.now)
    await human.waits()
    asked = [one for one in model.questions if one.purpose == "turn"][-1]
    seen = " ".join(message.text for message in asked.messages)
    assert "going to Madrid in May" in seen and "Madrid is lovely." in seen, "the page shows it, so it is known there"
    await human.says("bye for today")
    assert "Take the train, then." in model.turn_words
    with world.database.read() as db:
        rows = db.execute("SELECT session_id, channel FROM turns ORDER BY id").fetchall()
    assert [row["channel"] for row in rows] == ["telegram"] * 2 + ["web"] * 2 + ["telegram"] * 2
    assert len({row["session_id"] for row in rows}) == 1


async def test_commands_and_their_buttons_work(world: World, page: Mailbox, human: Human) -> None:
    asked = page.say("/remind tomorrow at 9 call Anika", "m1", world.now)
    await human.waits()
    answer = page.answer(asked)
    assert answer is not None
    [(label, data)] = answer.buttons
    pressed = page.press(data, "p1", world.now)
    await human.waits()
    undone = page.answer(pressed)
    assert label == "Take it back" and undone is not None and undone.texts == ("Taken back: call Anika.",)
    away = page.say("/export", "m2", world.now)
    await human.waits()
    told = page.answer(away)
    assert told is not None and str(world.settings.data / "exports") in told.texts[0], "a path: it is this machine"


@pytest.mark.parametrize("telegram", [False, True])
def test_a_reminder_asked_for_on_the_page_goes_home(world: World, clock: FrozenClock, telegram: bool) -> None:
    with world.database.write() as db:
        if telegram:
            accounts.pair(db, "telegram", "7", "7", "owner", world.now)
        due = world.now + timedelta(seconds=SESSION_GAP_SECONDS)
        tasks.add(db, REMINDERS, "call Anika", world.now, due_at=due, channel="web", chat_id="web")
    clock.pass_(seconds=SESSION_GAP_SECONDS)
    assert reminders.speak_due(world).did
    with world.database.read() as db:
        [row] = db.execute("SELECT channel, state FROM outbox").fetchall()
        [shown] = turns.recent(db, "web", "web", 5)
    assert tuple(row) == (("telegram", "ready") if telegram else ("web", "sent"))
    assert shown.text == "⏰ call Anika", "and stands on the page"
