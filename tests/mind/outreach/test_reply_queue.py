"""A question of the companion's own that stays without an answer is brought up again, twice and no more."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from furoshiki.core import refs
from furoshiki.messages.store import turns
from furoshiki.messages.values import COMPANION, NewTurn
from furoshiki.mind.inner_life import session_context
from furoshiki.mind.inner_life.store import commitments, self_questions
from furoshiki.mind.outreach import laws as all_laws
from furoshiki.mind.outreach import outcomes, reminders, reply_queue, voice
from furoshiki.mind.outreach.store import decisions
from furoshiki.owner.agenda.store import mind_queue, tasks
from furoshiki.world import World
from tests.support.reaching_out import hears, pass_, rows, told
from tests.support.world import FrozenClock, Human

QUESTION = "Would they rather live by the sea?"


def wonders(world: World, text: str = QUESTION) -> int:
    """A question to the owner, by way of what the companion asks itself."""
    with world.database.write() as db:
        made = self_questions.add(db, text, "inner_monologue:2026-03-24", world.now)
        assert made is not None and self_questions.to_user(db, made, world.now)
    return made


def queued(world: World) -> list[tuple[str, str]]:
    return [(one[0], one[1]) for one in rows(world, "SELECT title, state FROM tasks WHERE list_id='reply_queue'")]


def nudged(world: World) -> list[str]:
    return [one.text for one in told(world) if one.text.startswith("I asked them this")]


async def test_it_is_brought_up_twice_and_then_let_go(owned: Human, clock: FrozenClock) -> None:
    world = owned.world
    wonders(world)
    await pass_(world, clock, hours=1)
    assert [one.text for one in told(world)] == [QUESTION]
    assert queued(world) == [(QUESTION, "open")]
    await pass_(world, clock, hours=22)
    assert nudged(world) == []
    await pass_(world, clock, hours=2)
    assert nudged(world) == [f"I asked them this and have not heard: {QUESTION}"]
    await pass_(world, clock, days=8)
    assert len(nudged(world)) == 2
    assert queued(world) == [(QUESTION, "cancelled")]
    assert rows(world, "SELECT gates FROM outreach_decisions WHERE kind='reply_nudge' AND verdict='sent'")


@pytest.mark.parametrize("words", ["busy, later", "/mood", "👍"])
async def test_whatever_the_owner_says_closes_it(owned: Human, clock: FrozenClock, words: str) -> None:
    world = owned.world
    wonders(world)
    await pass_(world, clock, hours=1)
    if words == "👍":
        hears(world, words, kind="reaction")
    else:
        await owned.says(words)
    await pass_(world, clock, days=3)
    assert nudged(world) == [] and queued(world) == [(QUESTION, "done")]


async def test_an_answer_while_the_nudge_waits_for_the_morning_is_in_time(owned: Human, clock: FrozenClock) -> None:
    world = owned.world
    clock.pass_(hours=7, minutes=50)
    wonders(world)
    await pass_(world, clock, minutes=30)
    clock.pass_(minutes=15)
    await pass_(world, clock, hours=24)
    assert len(told(world)) == 1
    assert rows(world, "SELECT state FROM mind_queue WHERE kind='reply_nudge'") == [("pending",)]
    await owned.says("by the lake, if anything")
    await pass_(world, clock, hours=12)
    assert nudged(world) == []
    assert rows(world, "SELECT state FROM mind_queue WHERE kind='reply_nudge'") == [("expired",)]


async def test_what_was_answered_otherwise_is_not_asked_again(owned: Human, clock: FrozenClock) -> None:
    world = owned.world
    made = wonders(world)
    await pass_(world, clock, hours=1)
    with world.database.write() as db:
        self_questions.drop(db, made)
    await pass_(world, clock, days=2)
    assert nudged(world) == [] and queued(world) == [(QUESTION, "cancelled")]


async def test_who_wants_less_of_it_is_not_asked_again(owned: Human, clock: FrozenClock) -> None:
    world = owned.world
    wonders(world)
    await pass_(world, clock, hours=1)
    with world.database.write() as db:
        decision = decisions.list_sent(db, clock.at - timedelta(days=1))[0]
        outcomes.learn(db, decision, "disliked", all_laws.current(world), clock.at)
    await pass_(world, clock, days=2)
    assert nudged(world) == [] and queued(world) == [(QUESTION, "cancelled")]


async def test_who_wants_it_later_hears_it_later_and_it_counts_from_then(owned: Human, clock: FrozenClock) -> None:
    world = owned.world
    wonders(world)
    await pass_(world, clock, hours=1)
    with world.database.write() as db:
        assert mind_queue.say_again(db, 1, clock.at + timedelta(hours=2))
    await pass_(world, clock, hours=4)
    assert [one.text for one in told(world)] == [QUESTION, QUESTION]
    assert queued(world) == [(QUESTION, "cancelled"), (QUESTION, "open")]


@pytest.mark.parametrize(
    ("kind", "words", "asks"),
    [
        ("question", "I wonder where they live", True),
        ("curiosity", "I wonder why they row", True),
        ("delegation", "There is something to decide", True),
        ("follow_up", "The frost is over. Did the tomatoes survive it?", True),
        ("follow_up", "I thought of the tomatoes", False),
        ("thought", "Did the tomatoes survive?", False),
    ],
)
def test_an_answer_is_expected_to_what_asks(owned: Human, kind: str, words: str, asks: bool) -> None:
    world = owned.world
    with world.database.write() as db:
        mind_queue.add(db, kind, "the thought", "k1", world.now)
        item = mind_queue.candidates(db, world.now)[0]
        turn = turns.get(db, hears_from_it(db, world, words))
        assert turn is not None
        made = reply_queue.expect(db, item, 1, turn.id, world.now, all_laws.current(world))
        assert (made is not None) is asks
        if made is not None:
            task = tasks.get(db, made)
            assert task is not None
            question = "Did the tomatoes survive it?" if kind == "follow_up" else "the thought"
            assert (task.title, task.due_at) == (question, world.now + timedelta(hours=24))


def hears_from_it(db: Any, world: World, words: str) -> int:
    return turns.add(db, NewTurn("s", "telegram", "7", COMPANION, words, world.now, kind="outreach"))


async def test_it_is_nothing_to_do_for_anybody(owned: Human, clock: FrozenClock) -> None:
    world = owned.world
    wonders(world)
    await pass_(world, clock, hours=1)
    assert queued(world) == [(QUESTION, "open")]
    clock.pass_(days=2)
    assert not reminders.speak_due(world).did
    session_context.refresh(world)
    assert world.state.context()["tasks"] == {}
    with world.database.read() as db:
        assert tasks.lists(db) == {} and tasks.list_every_open(db, 9) == [] and tasks.to_bring_up(db) == []
    assert await owned.says("/tasks") == ["Nothing is open."]


async def test_what_the_owner_decides_keeps_its_buttons_when_it_is_brought_up_again(
    owned: Human, clock: FrozenClock
) -> None:
    world = owned.world
    with world.database.write() as db:
        db.execute("INSERT INTO behavioral_patterns (gist, created_at) VALUES ('g', ?)", (world.now.isoformat(),))
        made = commitments.add(db, 1, "ask before giving advice", "a question first", world.now)
        assert made is not None
        for number in range(3):
            commitments.record(db, made, f"s{number}", "broken", (), world.now)
    await pass_(world, clock, hours=25)
    first, again = told(world)
    assert again.text.endswith("ask before giving advice") and again.text.startswith("I asked them this")
    assert again.extra["buttons"][0] == first.extra["buttons"][0]
    assert again.extra["buttons"][0][0]["data"] == f"promise.drop:{made}"


async def test_without_nudges_it_is_let_go_at_its_time(owned: Human, clock: FrozenClock) -> None:
    world = owned.world
    (world.home / "config").mkdir(parents=True, exist_ok=True)
    (world.home / "config" / "outreach.toml").write_text("[nudge]\nmost = 0\n")
    wonders(world)
    await pass_(world, clock, days=3)
    assert nudged(world) == [] and queued(world) == [(QUESTION, "cancelled")]


async def test_a_nudge_that_was_let_go_unsaid_is_the_end(owned: Human, clock: FrozenClock) -> None:
    world = owned.world
    wonders(world)
    await pass_(world, clock, hours=1)
    clock.pass_(hours=25)
    laws = all_laws.current(world)
    with world.database.write() as db:
        assert reply_queue.gather(db, clock.at, laws, 2) == 1
        [item] = [one for one in mind_queue.candidates(db, clock.at) if one.kind == "reply_nudge"]
        assert reply_queue.nudges(db, item) == 0 and refs.is_of(item.source, "tasks")
        assert mind_queue.let_go(db, item.id, "dropped")
        assert reply_queue.gather(db, clock.at + timedelta(hours=25), laws, 2) == 0
    assert queued(world) == [(QUESTION, "cancelled")]


async def test_it_is_not_brought_up_in_the_very_same_words(
    owned: Human, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def draft(_world: World, _item: mind_queue.Waiting) -> voice.Worded:
        return voice.Worded(QUESTION, "scripted", "deep")

    monkeypatch.setattr(voice, "draft", draft)
    wonders(owned.world)
    await pass_(owned.world, clock, days=3)
    assert [one.text for one in told(owned.world)] == [QUESTION]
    held = rows(owned.world, "SELECT gate FROM outreach_decisions WHERE kind='reply_nudge' AND verdict!='sent'")
    assert ("novelty",) in held
