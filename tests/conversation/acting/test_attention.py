"""What has the attention decides what comes to mind first, what the mind learns beside a message,
and what is said next."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from furoshiki.conversation.acting import attention
from furoshiki.conversation.acting.due import attend as due
from furoshiki.conversation.acting.rules.attention import LET_GO_AFTER
from furoshiki.conversation.commands.look import why
from furoshiki.conversation.worker import Worker
from furoshiki.core.timestamps import stamp
from furoshiki.owner.agenda.store import mind_queue, tasks
from furoshiki.world import World
from tests.support.reaching_out import pass_, told
from tests.support.world import FrozenClock, Human, Script

PIANO = "Ask how the piano lesson went"
GARDEN = "Ask what became of the tomatoes in the garden"
BOOK = "Ask whether the novel about the lighthouse was finished"
ROOF = "Ask whether somebody repaired the leaking roof"


def on_its_mind(world: World, *thoughts: str, kind: str = "follow_up", priority: int = 3) -> None:
    with world.database.write() as db:
        for words in thoughts:
            mind_queue.add(db, kind, words, words, world.now, priority=priority)


def rows(world: World, question: str) -> list[dict[str, Any]]:
    with world.database.read() as db:
        return [dict(row) for row in db.execute(question)]


def off(world: World) -> World:
    return replace(world, settings=world.settings.model_copy(update={"furoshiki_attention": False}))


async def test_the_thought_that_has_to_do_with_their_words_comes_to_mind(
    world: World, human: Human, model: Script
) -> None:
    on_its_mind(world, PIANO, GARDEN, BOOK, ROOF)
    await human.says("Something has eaten the tomatoes again, I am going to the garden.")
    assert GARDEN in model.last_words and ROOF not in model.last_words
    await human.says("There is a wet spot under the roof, it must be leaking. What do I do?")
    assert ROOF in model.last_words, "the fourth of four, of which three are shown"
    [first, *_] = rows(world, "SELECT * FROM mind_queue ORDER BY salience DESC")
    assert first["summary"] == ROOF
    human.worker = Worker(off(world))
    await human.says("There is a wet spot under the roof, it must be leaking. What do I do?")
    assert ROOF not in model.last_words, "switched off it is as it was: the oldest three"


@pytest.mark.parametrize("ticks", [0, 2])
async def test_what_drew_more_is_told_once_and_the_message_comes_first(
    world: World, human: Human, model: Script, ticks: int
) -> None:
    on_its_mind(world, "What they may need on Tuesday: the visa papers", kind="anticipation", priority=2)
    for _ in range(ticks):
        attention.attend(world)  # what wins while nobody writes has been told to nobody
    await human.says("hm")
    assert (
        "Something else drew you more than their words, because it is new: What they may need on Tuesday: the visa"
        in model.last_words
    )
    assert "They come first all the same;" in model.last_words
    await human.says("hm")
    assert "drew you more" not in model.last_words
    cycles = rows(world, "SELECT * FROM attention_cycles ORDER BY id")
    assert [one["winner"] for one in cycles[min(ticks, 1) :]] == ["inbox:1", "inbox:2"], "who writes is answered first"
    assert "visa" not in json.dumps(cycles), "no words of anybody"


async def test_a_question_that_says_something_draws_more_than_what_waits(
    world: World, human: Human, model: Script
) -> None:
    on_its_mind(world, "What they may need on Tuesday: the visa papers", kind="anticipation", priority=2)
    await human.says("Which ferry goes to the island on Sunday?")
    assert "drew you more" not in model.last_words


def test_what_wins_while_nobody_writes_is_what_comes_first_next(world: World, clock: FrozenClock) -> None:
    on_its_mind(world, PIANO, ROOF)
    with world.database.write() as db:
        assert due(db, world.now) == "something is on its mind"
        db.execute(
            "INSERT INTO tasks (list_id, title, state, created_at, changed_at) "
            "VALUES ('todo', 'have the roof repaired', 'open', '2026-03-24T10:00:00Z', '2026-03-24T10:00:00Z')"
        )
    assert attention.attend(world).summary == "mind_queue:2 has the attention"
    with world.database.read() as db:
        waits = mind_queue.candidates(db, world.now)
    assert waits[1].salience > waits[0].salience > 0
    for _ in range(3):
        clock.pass_(minutes=15)
        assert not attention.attend(world).did, "nothing new: no row for it"
    fared = rows(world, "SELECT ref, state, lost FROM attention_candidates ORDER BY ref")
    assert [(one["ref"], one["state"], one["lost"]) for one in fared] == [
        ("mind_queue:1", "waiting", 3),
        ("mind_queue:2", "won", 0),
    ]
    assert len(rows(world, "SELECT * FROM attention_cycles")) == 1


@pytest.mark.parametrize("switched_off", [False, True])
def test_what_lost_for_a_day_draws_nothing_and_what_is_over_is_let_go(
    world: World, clock: FrozenClock, switched_off: bool
) -> None:
    on_its_mind(world, PIANO, ROOF)
    attention.attend(world)
    if switched_off:
        assert attention.attend(off(world)).did and not attention.attend(off(world)).did
        assert [one["salience"] for one in rows(world, "SELECT salience FROM mind_queue")] == [0, 0]
        return
    with world.database.write() as db:
        db.execute("UPDATE attention_candidates SET lost=? WHERE ref='mind_queue:2'", (LET_GO_AFTER,))
        mind_queue.mark_said(db, 1)
    clock.pass_(minutes=15)
    assert attention.attend(world).summary == "nothing asks for attention"
    states = rows(world, "SELECT ref, state FROM attention_candidates WHERE state!='won' ORDER BY ref")
    assert states == [{"ref": "mind_queue:2", "state": "let_go"}]


@pytest.mark.parametrize("paid", [True, False])
async def test_what_draws_most_is_brought_up_first_while_nobody_writes(
    owned: Human, clock: FrozenClock, paid: bool
) -> None:
    world = owned.world if paid else off(owned.world)
    on_its_mind(world, "Is the piano lesson on Mondays?", "Did anybody repair the leaking roof?", kind="question")
    with world.database.write() as db:
        tasks.add(db, "todo", "have the leaking roof repaired", world.now)
    attention.attend(world)
    await pass_(world, clock, minutes=30)
    assert ("roof" in told(world)[0].text) is paid, "the roof is what they have before them; the piano is older"


def test_what_may_not_be_said_yet_does_not_lose_before_its_time(world: World) -> None:
    on_its_mind(world, PIANO)
    with world.database.write() as db:
        db.execute("UPDATE mind_queue SET not_before=?", (stamp(world.now + timedelta(days=3)),))
    assert attention.attend(world).summary == "nothing asks for attention"
    assert rows(world, "SELECT * FROM attention_candidates") == []


async def test_what_else_asked_for_attention_is_told_when_they_ask_why(world: World, human: Human) -> None:
    on_its_mind(world, "What they may need on Tuesday: the visa papers", kind="anticipation", priority=2)
    await human.says("hm")
    words = await human.says("/why all")
    assert "Besides your words, I had this on my mind: “What they may need on Tuesday: the visa papers”." in words[-1]
    assert "The first one drew me more than your words did, but messages to me come first." in words[-1]
    found = why.last_said(world)
    assert found is not None
    assert [one["source_tag"] for one in found["attention"]][:2] == ["schedule", "user"]
