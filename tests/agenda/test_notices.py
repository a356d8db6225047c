"""What the owner should know or decide reaches them once: in /status, in a message by day, with buttons."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from furoshiki.agenda import notices
from furoshiki.agenda.store import failures, mind_queue
from furoshiki.consolidation import promotion
from furoshiki.core import failure_words
from furoshiki.core.database import events, kv
from furoshiki.inner_life import soul_engine
from furoshiki.memory import weighing
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.roles import Person
from furoshiki.messages.store import accounts, outbox, sessions, turns
from furoshiki.messages.values import Outgoing
from furoshiki.people.places import People
from furoshiki.world import World
from tests.support.rows import user_said
from tests.support.world import FrozenClock, Human

NOT_USABLE = "the answer was no JSON"


@pytest.fixture
def owned(human: Human) -> Human:
    with human.world.database.write() as db:
        accounts.pair(db, "telegram", "7", "7", "owner", human.world.now, "Ines")
    return human


def fails(world: World, event: str = "reflection_failed", **payload: object) -> None:
    with world.database.write() as db:
        events.announce(db, event, {"reason": NOT_USABLE, **payload}, world.now)


def told(world: World) -> list[Outgoing]:
    """What was said unasked."""
    with world.database.read() as db:
        return [one for one in outbox.waiting(db, "telegram") if one.policy == "unprompted"]


def firm(world: World) -> int:
    """A memory that is ripe to be held nearly for certain, and the question about it."""
    with world.database.write() as db:
        held = memories.add(db, NewMemory("semantic", "They row.", (turns.add(db, user_said("I row.")),)), world.now)
        at = (world.now + timedelta(days=20)).isoformat()
        db.execute("UPDATE memories SET alpha=7.5, beta=1.4, access_count=6, last_accessed_at=?", (at,))
    assert promotion.step(world, weighing.cycle(world, "night"))["asked"] == 1
    return held


def centre(world: World, memory_id: int) -> float:
    with world.database.read() as db:
        held = memories.get(db, memory_id)
    assert held is not None
    return held.alpha / (held.alpha + held.beta)


def test_what_failed_is_told_once_in_plain_words(owned: Human, clock: FrozenClock) -> None:
    world = owned.world
    for _ in range(3):
        fails(world)
    fails(world, "alert", kind="telegram.conflict", words="another process takes this bot's messages")
    for _ in range(4):
        soul_engine.tick(world)
        clock.pass_(minutes=15)
    [one] = told(world)
    assert f"a reflection did not work (3 times): {NOT_USABLE}" in one.text
    assert "- another process takes this bot's messages" in one.text
    clock.pass_(days=2)
    soul_engine.tick(world)
    assert len(told(world)) == 1, "it is known"


def test_at_most_one_message_a_day(owned: Human, clock: FrozenClock) -> None:
    world = owned.world
    for number in range(30):
        fails(world, reason=f"number {number}")
        soul_engine.tick(world)
        clock.pass_(hours=1)
    assert 1 <= len(told(world)) <= 2
    assert "number 0" in told(world)[0].text and len(told(world)[1].text.splitlines()) == 4


@pytest.mark.parametrize(("hour", "said"), [(22, 1), (23, 0), (3, 0), (7, 0), (8, 1)])
def test_nobody_is_written_to_at_night(owned: Human, clock: FrozenClock, hour: int, said: int) -> None:
    clock.at = datetime(2026, 1, 14, hour, 30, tzinfo=UTC)  # the clock in Lisbon
    fails(owned.world)
    assert notices.tell(owned.world) is bool(said)
    assert len(told(owned.world)) == said


async def test_nor_while_they_want_quiet(owned: Human, clock: FrozenClock) -> None:
    await owned.says("/quiet 3 hours")
    fails(owned.world)
    assert not notices.tell(owned.world)
    clock.pass_(hours=4)
    assert notices.tell(owned.world)


async def test_their_own_quiet_hours_hold_here_too(owned: Human, clock: FrozenClock) -> None:
    await owned.says("don't write to me before 10")
    fails(owned.world)
    clock.at = datetime(2026, 3, 25, 8, 30, tzinfo=UTC)
    assert not notices.tell(owned.world)
    clock.pass_(hours=2)
    assert notices.tell(owned.world)


async def test_status_shows_it_and_then_it_is_known(owned: Human) -> None:
    world = owned.world
    fails(world, "reading_failed", session="s1")
    [status] = await owned.says("/status")
    assert f"reading a conversation over did not work: {NOT_USABLE}" in status
    assert not notices.tell(world)
    assert NOT_USABLE in (await owned.says("/status"))[0], "it stands there for some days"


async def test_what_was_made_good_is_no_failure_any_more(owned: Human) -> None:
    world = owned.world
    fails(world, "reading_failed", session="s1")
    with world.database.write() as db:
        sessions.add(db, sessions.SessionDocument("s1", world.now, world.now, (), "They row.", None, None))
    assert not notices.tell(world)
    assert NOT_USABLE not in (await owned.says("/status"))[0]


def test_every_event_of_a_failure_has_its_words() -> None:
    import re

    from furoshiki.core.paths import ROOT

    written = "\n".join(path.read_text() for path in (ROOT / "furoshiki").rglob("*.py"))
    assert set(re.findall(r'"([a-z]+_failed)"', written)) == set(failure_words.WORDS)


def test_a_member_hears_nothing_of_it(owned: Human) -> None:
    places = People()
    member = places.world(owned.world, Person("member", "telegram", "31", "31", "Bea"))
    fails(member)
    fails(owned.world)
    assert not notices.tell(member)
    places.close()


async def test_may_i_count_on_this_is_asked_with_buttons_and_heard(owned: Human, clock: FrozenClock) -> None:
    world, held = owned.world, firm(owned.world)
    soul_engine.tick(world)
    [one] = told(world)
    assert "May I count on this for good: \u201cThey row.\u201d?" in one.text
    assert one.extra["buttons"] == [
        [{"text": "Yes", "data": f"count.yes:{held}"}, {"text": "No", "data": f"count.no:{held}"}]
    ]
    clock.pass_(days=2)
    soul_engine.tick(world)
    assert len(told(world)) == 1, "asked once"
    assert await owned.says("", kind="callback", data=f"count.yes:{held}") == ["Good, I count on it."]
    promotion.step(world, weighing.cycle(world, "night"))
    assert centre(world, held) > promotion.ASK_ABOVE


@pytest.mark.parametrize(("word", "firmer"), [("yes", True), ("No.", False)])
async def test_a_plain_word_answers_it(owned: Human, word: str, firmer: bool) -> None:
    world, held = owned.world, firm(owned.world)
    soul_engine.tick(world)
    [answer] = await owned.says(word)
    assert answer in ("Good, I count on it.", "Then I hold it as I did, and do not ask again.")
    promotion.step(world, weighing.cycle(world, "night"))
    assert (centre(world, held) > promotion.ASK_ABOVE) is firmer
    with world.database.read() as db:
        assert mind_queue.of_memories(db) == []


async def test_a_yes_to_something_else_is_no_yes_to_it(owned: Human, clock: FrozenClock) -> None:
    world, held = owned.world, firm(owned.world)
    soul_engine.tick(world)
    clock.pass_(minutes=1)
    await owned.says("shall we go rowing?")
    await owned.says("yes")
    with world.database.read() as db:
        assert [one for one, _ in mind_queue.of_memories(db)] == [held]
        assert kv.get(db, f"{promotion.APPROVED}{held}") is None


async def test_memory_asks_too_however_long_ago_it_came_up(owned: Human, clock: FrozenClock) -> None:
    world, held = owned.world, firm(owned.world)
    clock.pass_(days=30)
    soul_engine.tick(world)
    row = owned.writes("/memory")
    await owned.waits()
    [words] = owned.answers(row)
    assert "1. May I count on this for good" in words.text
    assert words.extra["buttons"][0][0] == {"text": "1. Yes", "data": f"count.yes:{held}"}
    await owned.says("", kind="callback", data=f"count.no:{held}")
    [again] = await owned.says("/memory")
    assert "May I count" not in again


def test_nothing_is_told_that_is_older_than_a_week(owned: Human, clock: FrozenClock) -> None:
    fails(owned.world)
    clock.pass_(days=8)
    assert not notices.tell(owned.world)
    with owned.world.database.read() as db:
        assert failures.told(db) == {"event": 0}
