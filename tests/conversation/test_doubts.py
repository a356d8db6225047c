"""What may not be so, as the person meets it: marked, asked about, settled by their word, or gone."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from furoshiki.conversation.commands import registry
from furoshiki.core.catalogue import speaking
from furoshiki.memory import weighing
from furoshiki.memory.facts import learn
from furoshiki.memory.grounding.rules.judging import CONTRADICTED
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory, Note
from furoshiki.messages.store import turns
from furoshiki.messages.values import Outgoing
from furoshiki.mind.consolidation import deep
from furoshiki.owner.agenda import doubts
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.world import World
from tests.support.commands import envelope
from tests.support.reaching_out import pass_, told
from tests.support.rows import user_said
from tests.support.world import FrozenClock, Human, Script

DANA = Note("Their lawyer is Dana Reyes.", subject="user", predicate="lawyer", object="Dana Reyes")
ASKS = "what was the name of my lawyer, dana or dora?"


def doubted(world: World, note: Note = DANA, event: datetime | None = None) -> int:
    with world.database.write() as db:
        turn = turns.add(db, user_said("she sends the bills, that dana", world.now - timedelta(days=1)))
        learn(db, note, [turn], world.now, event_time=event, unconfirmed="it is told of somebody else, too")
        return memories.in_doubt(db)[0].id


def tonight(world: World) -> dict[str, Any]:
    return deep.settle_doubts(world, weighing.cycle(world, "night"))


def in_doubt(world: World) -> list[str]:
    with world.database.read() as db:
        return [one.content for one in memories.in_doubt(db)]


def known(world: World) -> list[str]:
    with world.database.read() as db:
        return [one.content for one in memories.read_known(db)]


def buttons(sent: Outgoing) -> list[list[str]]:
    return [[one["data"] for one in row] for row in sent.extra.get("buttons", ())]


async def test_it_stands_in_the_prompt_as_perhaps_and_plainly_after_a_yes(human: Human, model: Script) -> None:
    held = doubted(human.world)
    await human.says(ASKS)
    assert f"perhaps: {DANA.text}" in model.turn_words
    sent = human.answers(row := human.writes("/memory")) or (await human.waits(), human.answers(row))[1]
    assert f"Perhaps: Your lawyer is Dana Reyes. (/memory yes {held}" in sent[-1].text
    assert buttons(sent[-1]) == [[f"doubt.yes:{held}", f"doubt.no:{held}"], ["know.about:0"]]
    assert await human.says("", kind="callback", data=f"doubt.yes:{held}") == ["Good, now I know that."]
    await human.says(ASKS)
    assert DANA.text in model.turn_words and "perhaps" not in model.turn_words
    assert known(human.world) == [DANA.text]


@pytest.mark.parametrize(("doubt", "shown"), [("it is told of somebody else, too", True), (CONTRADICTED, False)])
async def test_what_a_reader_finds_contradicted_is_not_shown_to_the_mind(
    human: Human, model: Script, doubt: str, shown: bool
) -> None:
    model.lines = ["Mhm.", "Mhm."]
    await human.says("the lawyer called")
    with human.world.database.write() as db:
        [turn, *_] = db.execute("SELECT id FROM turns ORDER BY id").fetchone()
        learn(db, DANA, [turn], human.world.now, unconfirmed=doubt)
    await human.says(ASKS)
    assert (f"perhaps: {DANA.text}" in model.turn_words) == shown


@pytest.mark.parametrize(("doubt", "asked"), [("it is told of somebody else, too", 1), (CONTRADICTED, 0)])
def test_what_a_reader_finds_contradicted_is_no_question(world: World, doubt: str, asked: int) -> None:
    """ "Who's the one with alzheimers, haha": nobody asks a carer whether they have it."""
    with world.database.write() as db:
        turn = turns.add(db, user_said("who's the one with alzheimers, haha", world.now))
        note = Note("They have Alzheimer's.", subject="user", predicate="health", object="alzheimers")
        learn(db, note, [turn], world.now, unconfirmed=doubt)
        assert doubts.ask(db, world.now) == bool(asked)
        assert len(mind_queue.list_keys(db, mind_queue.DOUBT)) == asked


def test_what_was_to_happen_is_no_question_once_its_day_is_over(world: World, clock: FrozenClock) -> None:
    doubted(world, Note("Their last working day is Friday."), world.now + timedelta(days=2))
    assert tonight(world)["asked"] == 1
    with world.database.read() as db:
        assert [one.summary for one in mind_queue.list_due(db, world.now + timedelta(days=2))]
        assert not mind_queue.list_due(db, world.now + timedelta(days=4))
    doubted(world, Note("Their first free day was Monday."), world.now - timedelta(days=2))
    clock.pass_(days=20)
    assert tonight(world)["asked"] == 0


def test_what_was_said_in_distress_is_no_question(world: World) -> None:
    """Nobody asks the next day: is it so that you are good for nothing?"""
    with world.database.write() as db:
        turn = turns.add(
            db, user_said("the house is so silent, i'm good for nothing", world.now, signals={"sadness": 0.9})
        )
        note = Note("They are good for nothing.", subject="user", predicate="is", object="good for nothing")
        learn(db, note, [turn], world.now, unconfirmed="a reader finds it not supported")
        assert not doubts.ask(db, world.now) and not mind_queue.list_keys(db, mind_queue.DOUBT)
        assert doubts.list_questions(db, 3) == []


@pytest.mark.parametrize(
    ("doubt", "asked"),
    [
        ("Nell has a hip operation on 15 December at Oswestry; Gwen will have Biscuit.", 0),
        ("They move to Leeds.", 0),
        ("They do not move to Leeds.", 1),
        ("They want everything settled before Christmas.", 1),
    ],
)
def test_what_is_known_from_the_same_words_is_no_question(world: World, doubt: str, asked: int) -> None:
    """Somebody who had told of an operation was asked whether they have one."""
    words = (
        "my hip operation is on the 15th at oswestry, i want it all settled before. gwen has biscuit, dan says leeds"
    )
    with world.database.write() as db:
        turn = turns.add(db, user_said(words, world.now - timedelta(days=1)))
        learn(db, Note(doubt), [turn], world.now, unconfirmed="it is only supposed, wished or planned there")
        for fact in (
            "Their hip operation is on 15 December at Oswestry.",
            "Gwen will have Biscuit.",
            "Dan says that they should move to Leeds.",
        ):
            learn(db, Note(fact), [turn], world.now)
        memories.add(db, NewMemory("episodic", f"They said: “{words}”", (turn,), category="moment"), world.now)
    assert tonight(world) == {"faded": 1 - asked, "asked": asked}
    assert in_doubt(world) == [doubt] * asked


def test_what_is_told_of_another_in_the_same_words_leaves_it_a_question(world: World) -> None:
    with world.database.write() as db:
        turn = turns.add(db, user_said("i think i'm allergic to penicillin like mum", world.now - timedelta(days=1)))
        mine = Note("They are allergic to penicillin.", subject="user", predicate="allergic_to", object="penicillin")
        learn(db, mine, [turn], world.now, unconfirmed="it is only supposed, wished or planned there")
        hers = "Their mother is allergic to penicillin."
        learn(db, Note(hers, subject="mother", predicate="allergic_to", object="penicillin"), [turn], world.now)
    assert tonight(world) == {"faded": 0, "asked": 1}


async def test_in_another_language_it_is_said_what_may_be_so_and_not_only_quoted(human: Human) -> None:
    """“É assim? Talvez: “vê isso aqui””: nobody can answer that."""
    with human.world.database.write() as db:
        turn = turns.add(db, user_said("essa Dana me manda cada conta que você não acredita", human.world.now))
        learn(db, DANA, [turn], human.world.now, unconfirmed="it is told of somebody else, too")
    with speaking("pt"):
        shown = await registry.run(human.world, "memory", "", envelope())
    assert shown is not None and "Your lawyer is Dana Reyes. (“essa Dana me manda" in shown.text


@pytest.mark.parametrize("way", ["/memory no {}", "button", "no"])
async def test_a_no_takes_it_away_and_it_is_not_read_again(human: Human, model: Script, way: str) -> None:
    held = doubted(human.world)
    await human.says("/memory")
    if way == "button":
        await human.says("", kind="callback", data=f"doubt.no:{held}")
    else:
        await human.says(way.format(held))
    with human.world.database.write() as db:
        one = memories.get(db, held)
        assert one is not None and (one.status, one.unconfirmed) == ("archived", doubts.DENIED)
        assert learn(db, DANA, one.turn_ids, human.world.now) == "denied"
    await human.says(ASKS)
    assert DANA.text not in model.turn_words


async def test_it_is_asked_about_in_talk_and_a_yes_settles_it(human: Human, model: Script) -> None:
    doubted(human.world)
    assert tonight(human.world) == {"faded": 0, "asked": 1}
    model.lines = ["Good to hear. Is Dana Reyes your lawyer, by the way?", "Good."]
    await human.says("i had a long day at the office")
    assert "Ask, where it fits" in model.turn_words
    await human.says("yes, that's right")
    assert known(human.world) == [DANA.text] and in_doubt(human.world) == []


async def test_anything_else_said_to_the_question_leaves_it_open(human: Human, model: Script) -> None:
    doubted(human.world)
    tonight(human.world)
    model.lines = ["Is Dana Reyes your lawyer, by the way?"]
    await human.says("i had a long day at the office")
    await human.says("the trams were late again")
    await human.says("yes")
    assert in_doubt(human.world) == [DANA.text]


async def test_one_question_waits_at_a_time(human: Human, clock: FrozenClock) -> None:
    doubted(human.world)
    doubted(human.world, Note("Their landlord is called Weber.", subject="user", predicate="landlord", object="Weber"))
    assert [tonight(human.world)["asked"], tonight(human.world)["asked"]] == [1, 0]
    with human.world.database.read() as db:
        assert len(mind_queue.list_keys(db, mind_queue.DOUBT)) == 1


async def test_beside_danger_it_is_not_asked(human: Human, model: Script) -> None:
    doubted(human.world)
    tonight(human.world)
    await human.says("i want to kill myself")
    assert all("Ask, where it fits" not in one.text for asked in model.questions for one in asked.messages)


async def test_it_is_never_a_reason_to_write_first(owned: Human, clock: FrozenClock) -> None:
    doubted(owned.world)
    tonight(owned.world)
    for _ in range(4):
        await pass_(owned.world, clock, days=1)
    assert not [one.text for one in told(owned.world) if "Dana" in one.text or "lawyer" in one.text]


async def test_untouched_it_is_gone_after_six_weeks(human: Human, clock: FrozenClock, model: Script) -> None:
    held = doubted(human.world)
    clock.pass_(days=41)
    assert tonight(human.world)["faded"] == 0
    clock.pass_(days=1)
    assert tonight(human.world)["faded"] == 1
    await human.says(ASKS)
    assert DANA.text not in model.turn_words and "Dana Reyes" not in "".join(await human.says("/memory"))
    with human.world.database.read() as db:
        one = memories.get(db, held)
    assert one is not None and one.unconfirmed == doubts.FADED
