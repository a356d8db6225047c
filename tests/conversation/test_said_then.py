"""Somebody who asks what they talked about yesterday is quoted what they said that day, without a model."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from furoshiki.core.database import kv
from furoshiki.core.timestamps import stamp
from furoshiki.language.testimony import Passage
from furoshiki.memory.store import tombstones
from furoshiki.messages.store import turns
from furoshiki.owner.agenda.store import tasks
from furoshiki.owner.user_model import user
from furoshiki.world import World
from tests.support.reflexes import reflexive
from tests.support.rows import user_said
from tests.support.world import START, FrozenClock, Human, Script

ABROAD = (
    ("de", "Meine Schwester kommt am Sonntag zu Besuch", "was haben wir gestern besprochen", "Gestern"),
    ("es", "Mi hermana viene el domingo de visita", "de que hablamos ayer", "Ayer"),
    ("fr", "Ma soeur vient me voir dimanche", "de quoi on a parlé hier", "Hier"),
    ("it", "Mia sorella viene a trovarmi domenica", "di cosa abbiamo parlato ieri", "Ieri"),
    ("pt", "Minha irmã vem me visitar no domingo", "o que a gente conversou ontem", "Ontem"),
    ("ru", "Моя сестра приезжает в воскресенье", "о чем мы вчера говорили", "Вчера"),
    ("tr", "Kız kardeşim pazar günü bana geliyor", "dün ne konuştuk", "Dün"),
    ("zh", "我妹妹星期天要来看我", "昨天我们聊了什么", "昨天"),
)
YESTERDAY = "what did we talk about yesterday?"
REMINDED = (
    "remind me what we talked about yesterday",
    "erinner mich daran, was wir gestern besprochen haben",
    "recuérdame lo que te dije ayer",
    "напомни, о чем мы вчера говорили",
    "dün ne konuştuğumuzu hatırlat",
)


def said(world: World, text: str, at: datetime, **more: object) -> int:
    with world.database.write() as db:
        return turns.add(db, user_said(text, at, **more))


@pytest.mark.parametrize(("code", "told", "asked", "when"), ABROAD, ids=lambda one: str(one)[:12])
async def test_a_day_is_quoted_in_every_language(
    world: World, human: Human, model: Script, clock: FrozenClock, code: str, told: str, asked: str, when: str
) -> None:
    reflexive(model)
    await human.says(told)
    clock.pass_(days=1)
    [answer] = await human.says(asked)
    head, quoted = answer.splitlines()
    assert head.startswith(when) and quoted.startswith("- ") and told in quoted


async def test_what_they_quoted_stands_in_what_they_are_quoted(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    """Their own message read “minha irmã disse que eu "" e que…”: the one thing the sister had said was gone."""
    reflexive(model)
    told = 'minha irmã Rosana disse que eu "só penso em dinheiro" e que a mãe gosta mais de mim'
    await human.says(told)
    clock.pass_(days=1)
    for asked in ("o que a Rosana disse?", "o que a gente conversou ontem"):
        assert told in (await human.says(asked))[0]


async def test_the_fullest_six_are_quoted_in_their_order(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    yesterday = START - timedelta(days=1)
    for number in range(9):
        told = f"Chapter {number} took me " + "very " * (number % 4) + "long to write"
        said(world, told, yesterday + timedelta(minutes=number))
    said(world, "good night", yesterday + timedelta(hours=1))
    [answer] = await human.says(YESTERDAY)
    head, *quoted, more = answer.splitlines()
    assert head == "Yesterday you told me:" and more == "There was more, too."
    assert [line.split()[2] for line in quoted] == ["1", "2", "3", "5", "6", "7"]


async def test_a_day_without_a_word_is_named_with_the_last_one_that_had_some(
    world: World, human: Human, model: Script
) -> None:
    reflexive(model)
    assert await human.says(YESTERDAY) == ["Yesterday you told me nothing."]
    said(world, "I planted three tulips", datetime(2026, 3, 20, 12, tzinfo=UTC))
    assert await human.says("what did I tell you on Sunday?") == [
        "On 22 March you told me nothing. The last time before that was on 20 March."
    ]
    [answer] = await human.says("what did I tell you last week?")
    assert answer == "On 20 March you told me:\n- “I planted three tulips”"
    assert await human.says("what did I tell you in january?") == ["You told me nothing then."]


async def test_several_days_are_named_with_each_quotation(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    said(world, "I planted three tulips", datetime(2026, 3, 17, 12, tzinfo=UTC))
    said(world, "The tulips are coming up", datetime(2026, 3, 20, 12, tzinfo=UTC))
    [answer] = await human.says("what did we talk about last week?")
    assert answer.splitlines() == [
        "You told me:",
        "- On 17 March: “I planted three tulips”",
        "- On 20 March: “The tulips are coming up”",
    ]


async def test_a_day_is_one_of_the_persons_own_clock(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    with world.database.write() as db:
        kv.put(db, user.ZONE_KEY, "Pacific/Auckland", world.now)  # there it is 04:00 of the 25th
    said(world, "I planted three tulips", datetime(2026, 3, 23, 11, 30, tzinfo=UTC))
    said(world, "The sea was cold today", datetime(2026, 3, 24, 10, 30, tzinfo=UTC))
    [answer] = await human.says(YESTERDAY)
    assert "tulips" in answer and "sea" in answer
    [answer] = await human.says("what did we talk about today?")
    assert answer.startswith("Today you told me nothing")


async def test_the_last_conversation_is_the_one_before_this(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    reflexive(model)
    assert await human.says("what did we talk about last time?") == ["This is the first time we talk."]
    clock.pass_(days=3)
    await human.says("I planted three tulips")
    clock.pass_(days=3)
    await human.says("hello again")
    await human.says("The sea was cold today")
    [answer] = await human.says("what did we talk about last time?")
    assert answer == "On 27 March you told me:\n- “I planted three tulips”"


async def test_the_message_before_is_quoted(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    assert await human.says("what did I just say?") == ["You haven't told me anything yet."]
    await human.says("I planted three tulips")
    assert await human.says("what did I just tell you?") == ["You just wrote: “I planted three tulips”"]


async def test_grave_words_are_not_repeated(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    yesterday = START - timedelta(days=1)
    said(world, "I want to kill myself", yesterday)
    [answer] = await human.says(YESTERDAY)
    assert answer.startswith("What you told me yesterday weighs a lot.") and "kill" not in answer
    said(world, "I planted three tulips", yesterday)
    [answer] = await human.says(YESTERDAY)
    assert "tulips" in answer and "kill" not in answer


async def test_only_what_was_said_here_by_them_and_stays_is_quoted(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    yesterday = START - timedelta(days=1)
    said(world, "I planted three tulips", yesterday)
    held = said(world, "I lost a gold ring", yesterday)
    said(world, "I was born on a ship", yesterday, source="import", import_id="1")
    said(world, "/memory all of it", yesterday, kind="command")
    said(world, "We won the cup in Genoa", yesterday, speaker="Ben")
    pasted = "Dear sir, the invoice is due"
    said(world, pasted, yesterday, foreign=(Passage("pasted", 0, len(pasted)),))
    with world.database.write() as db:
        asked = {"at": stamp(world.now), "names": [f"turn:{held}"]}
        kv.put(db, tombstones.ASKED, asked, world.now)
    assert await human.says(YESTERDAY) == ["Yesterday you told me:\n- “I planted three tulips”"]


@pytest.mark.parametrize("asked", REMINDED)
async def test_who_wants_to_be_reminded_of_it_gets_no_reminder(
    world: World, human: Human, model: Script, asked: str
) -> None:
    model.lines = ["Three tulips!", "Once more."]
    assert await human.says(asked) == ["Three tulips!"]
    with world.database.read() as db:
        assert tasks.list_every_open(db, 9) == []
