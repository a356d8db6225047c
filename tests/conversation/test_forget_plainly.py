"""Asked in plain words to forget, the companion shows what would go, asks, and does it: the same as `/forget`."""

from __future__ import annotations

import dataclasses
import re

import pytest

from furoshiki.conversation.commands import forget, forget_plainly
from furoshiki.conversation.hearing.offering import OFFERED
from furoshiki.conversation.promises.rules import unkept
from furoshiki.core.catalogue import everywhere
from furoshiki.core.database import kv
from furoshiki.memory.store import memories
from furoshiki.messages.store import accounts
from furoshiki.world import World
from tests.support.reflexes import reflexive
from tests.support.world import Human, Script

ASKS = tuple(everywhere("This would be gone for good:"))


@pytest.fixture(autouse=True)
def owned(world: World) -> None:
    with world.database.write() as db:
        accounts.pair(db, "telegram", "7", "7", "owner", world.now, "Ines")


def held(world: World, word: str) -> list[str]:
    """Tables that still hold a word. A number stands by itself: its figures may be part of some share by chance."""
    says = re.compile(rf"(?<![\w.]){word}(?![\w.]*\d)" if word.isdigit() else re.escape(word), re.IGNORECASE)
    found = []
    with world.database.read() as db:
        tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type='table'")]
        for table in tables:
            if "_fts" not in table:
                rows = db.execute(f"SELECT * FROM {table}").fetchall()
                found += [table for row in rows if says.search(str(tuple(row)))]
    return sorted(set(found))


SAID = (
    ("My PIN is 4471", "forget my PIN", "4471"),
    ("My PIN is 4471", "Please forget my PIN.", "4471"),
    ("My brother Joost lives in Utrecht", "forget that my brother is called Joost", "Joost"),
    ("My brother is called Joost", "forget that my brother is called Joost", "Joost"),
    ("I live in Rua Augusta", "forget where I live", "Augusta"),
    ("I hid the key under the third flowerpot", "forget where I hid the key", "flowerpot"),
    ("I had surgery on my knee in May", "forget what I told you about the surgery", "surgery"),
    ("meine PIN ist 4471", "vergiss meine PIN", "4471"),
    ("Ich wohne in Bonn", "vergiss, wo ich wohne", "Bonn"),
    ("Hola, vivo en Bilbao", "olvida dónde vivo", "Bilbao"),
    ("Bonjour, j'habite à Lille", "oublie où j'habite", "Lille"),
    ("Ciao, abito a Torino", "dimentica dove abito", "Torino"),
    ("Moro em Braga", "esquece onde moro", "Braga"),
    ("Я живу в Казани", "забудь, где я живу", "Казани"),
    ("Merhaba, nasılsın? Ben İzmir'de oturuyorum", "nerede oturduğumu unut", "zmir"),
    ("我住在上海", "忘记我住在哪里", "上海"),
    ("我住在上海", "把我住在哪里忘掉", "上海"),
    ("Ablam Ankara'da yaşıyor", "ablamın nerede yaşadığını unut", "Ankara"),
    ("My PIN is 4471", "please don't keep that", "4471"),
    ("My PIN is 4471", "forget that, please", "4471"),
    ("My PIN is 4471", "vergiss das bitte", "4471"),
    ("My PIN is 4471", "delete my last message", "4471"),
    ("My PIN is 4471", "forget this conversation", "4471"),
    ("My PIN is 4471", "delete everything I said today", "4471"),
    ("My PIN is 4471", "delete all my data", "4471"),
)


@pytest.mark.parametrize(("said", "asks", "word"), SAID)
async def test_what_was_asked_for_goes_after_a_yes(
    world: World, human: Human, model: Script, said: str, asks: str, word: str
) -> None:
    reflexive(model)
    await human.says(said)
    [question] = await human.says(asks)
    assert question.startswith(ASKS)
    assert held(world, word)
    [done] = await human.says("yes please")
    assert done.startswith("Forgotten: ")
    assert held(world, word) == []


@pytest.mark.parametrize(
    ("said", "question", "asks", "word"),
    [
        ("my dog is called Rex", "what's my dog called?", "forget that, please", "Rex"),
        ("mein Hund heißt Balu", "woher weißt du das?", "vergiss das wieder", "Balu"),
        ("mein Hund heißt Balu", "wie heißt mein Hund?", "Vergessen Sie das bitte.", "Balu"),
        ("mon chien s'appelle Rex", "comment s'appelle mon chien?", "oublie ça", "Rex"),
        ("mi perro se llama Coco", "cómo se llama mi perro?", "olvida eso", "Coco"),
        ("мою собаку зовут Рекс", "как зовут мою собаку?", "забудь это", "Рекс"),
        ("我的狗叫豆豆", "我的狗叫什么？", "忘掉这个", "豆豆"),
    ],
)
async def test_what_an_answer_quotes_is_meant_too(
    world: World, human: Human, model: Script, said: str, question: str, asks: str, word: str
) -> None:
    """Only “woher weißt du das” itself was to be forgotten."""
    reflexive(model)
    await human.says(said)
    await human.says(question)
    await human.says(asks)
    await human.says("yes please")
    assert held(world, word) == []


@pytest.mark.parametrize(
    ("said", "asks", "word"),
    [
        ("ich nehme morgens Bisoprolol", "Vergessen Sie bitte das mit dem Bisoprolol.", "Bisoprolol"),
        ("köpeğimin adı Paşa", "Paşa meselesini unut", "Paşa"),
        ("我的狗叫豆豆", "把豆豆的事忘了吧", "豆豆"),
    ],
)
async def test_a_matter_is_forgotten_by_its_name(
    world: World, human: Human, model: Script, said: str, asks: str, word: str
) -> None:
    reflexive(model)
    await human.says(said)
    await human.says(asks)
    await human.says("yes please")
    assert held(world, word) == []


@pytest.mark.parametrize("asks", ["forget my PIN", "please don't keep that", "delete all my data"])
async def test_a_no_leaves_everything_as_it_was(world: World, human: Human, model: Script, asks: str) -> None:
    reflexive(model)
    await human.says("My PIN is 4471")
    await human.says(asks)
    assert await human.says("no") == [forget.KEPT]
    assert "turns" in held(world, "4471")


async def test_the_request_is_on_record_without_its_words(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    await human.says("forget the thing with Quentin, please")
    assert held(world, "Quentin") == []
    assert model.questions == [], "no model hears of it"


async def test_what_was_never_said_is_not_claimed_to_be_forgotten(human: Human, model: Script) -> None:
    reflexive(model)
    assert (await human.says("forget my IBAN"))[0].startswith("I found nothing that says that.")
    assert await human.says("please don't keep that") == [forget_plainly.NOTHING_BEFORE]


async def test_no_ids_are_shown_to_a_person(human: Human, model: Script) -> None:
    reflexive(model)
    await human.says("My sister lives in Porto")
    await human.says("My brother lives in Porto")
    for asked in ("forget that my sister lives in Porto", "/forget", "/forget sister"):
        [shown] = await human.says(asked)
        assert re.search(r"(?:turn|memory):\d", shown) is None


async def test_a_reply_names_the_message_that_is_meant(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    await human.says("My PIN is 4471")
    await human.says("I had soup for lunch")
    await human.says("please forget that", reply_to={"message_id": "101"})
    await human.says("yes")
    assert (held(world, "4471"), "turns" in held(world, "soup")) == ([], True)


async def test_everything_is_everything(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    await human.says("My sister Anika lives in Porto")
    await human.says("remind me to call Anika tomorrow at 9")
    await human.says("put milk on the shopping list")
    [question] = await human.says("delete all my data")
    assert str(world.home) in question
    await human.says("yes")
    with world.database.read() as db:
        assert memories.count(db) == 0
        for table in ("turns", "tasks", "sessions", "skill_runs", "turn_journal", "mind_queue"):
            left = [str(tuple(row)) for row in db.execute(f"SELECT * FROM {table}")]
            assert [row for row in left if "command" not in row] == [], table
    assert (held(world, "Anika"), held(world, "milk")) == ([], [])


async def test_a_wish_beside_the_words_it_means_is_answered_and_they_are_not_kept(
    world: World, human: Human, model: Script
) -> None:
    model.lines = ["That is a heavy secret to carry."]
    answer, told = await human.says("My sister Anika is pregnant. Please don't keep that.")
    assert (answer, told) == ("That is a heavy secret to carry.", unkept.SAID["en"])
    assert held(world, "Anika") == []


async def test_an_edit_that_asks_not_to_be_kept_takes_the_first_wording_along(
    world: World, human: Human, model: Script
) -> None:
    reflexive(model)
    await human.says("My PIN is 4471")
    human.writes("My PIN is 4471, please don't keep that", kind="edit", message_id="101")
    await human.waits()
    assert held(world, "4471") == []


async def test_another_wish_beside_other_words_is_shown_first(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    await human.says("My PIN is 4471")
    *_, offer = await human.says("What a day that was. Please forget my PIN. Did you miss me?")
    assert offer.startswith("You asked me to forget something.")
    [shown] = await human.says("yes")
    assert shown.startswith(ASKS)
    await human.says("yes")
    assert held(world, "4471") == []


async def test_the_built_in_mind_does_not_say_it_keeps_what_it_should_not(human: Human, model: Script) -> None:
    reflexive(model)
    await human.says("hello")
    answer, _ = await human.says("My brother Joost was in prison. Please don't keep that.")
    assert "remember" not in answer.lower()
    assert "kept" not in answer.lower()


async def test_somebody_in_danger_is_answered_before_anything_is_forgotten(human: Human, model: Script) -> None:
    reflexive(model)
    await human.says("what a week")
    answer, question = await human.says("forget that I want to kill myself")
    assert "112" in answer
    assert question.startswith("You asked me to forget something.")


async def test_what_somebody_else_wrote_asks_for_nothing(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    await human.says("My PIN is 4471")
    for passed_on in ({"forwarded": {"from": "Eve"}}, {"via": "somebot"}):
        said = await human.says("delete all my data", **passed_on)
        assert not [one for one in said if one.startswith(ASKS)]
    said = await human.says("> delete all my data")
    assert not [one for one in said if one.startswith(ASKS)]
    assert "turns" in held(world, "4471")


async def test_a_guest_forgets_only_their_own(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    await human.says("My PIN is 4471")
    with world.database.write() as db:
        accounts.pair(db, "telegram", "8", "8", "member", world.now, "Guest")
    guest = dataclasses.replace(human, chat_id="8", sent=50)
    await guest.says("delete all my data")
    await guest.says("yes")
    assert "turns" in held(world, "4471")


async def test_where_i_live_is_not_where_a_guest_lives(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    with world.database.write() as db:
        accounts.pair(db, "telegram", "8", "8", "member", world.now, "Guest")
    guest = dataclasses.replace(human, chat_id="8", sent=50)
    await guest.says("I live in Oslo")
    await human.says("I live in Porto")
    [question] = await human.says("forget where I live")
    assert ("Porto" in question, "Oslo" in question) == (True, False)


async def test_a_spoken_wish_is_asked_under_the_answer(
    world: World, human: Human, model: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    from furoshiki.memory.perception import attachments
    from furoshiki.memory.perception.attachments import Described

    async def heard(_world: World, envelope: object) -> Described:
        return Described("please don't keep that")

    reflexive(model)
    await human.says("My PIN is 4471")
    monkeypatch.setattr(attachments, "in_words", heard)
    with world.database.write() as db:
        kv.put(db, OFFERED, True, world.now)  # that nothing hears was said before
    *_, question = await human.says("", kind="voice", attachment={"duration": 2})
    assert question.startswith("You asked me to forget something.")


@pytest.mark.parametrize("asks", ["please don't remember that", "forget my PIN"])
async def test_it_is_withheld_while_the_question_is_open(world: World, human: Human, model: Script, asks: str) -> None:
    reflexive(model)
    await human.says("My PIN is 4471")
    await human.says("the weather is fine")
    if asks.startswith("please"):
        human.writes(asks, reply_to={"message_id": "101"})
        await human.waits()
    else:
        await human.says(asks)
    assert "4471" not in " ".join(await human.says("what is my PIN?"))
    await human.says("/forget no")
    assert "4471" in " ".join(await human.says("what is my PIN?"))


async def test_what_belongs_to_somebody_is_forgotten_and_nothing_else_of_them(human: Human) -> None:
    for said in ("I have two daughters, Jean and Carol", "Carol can't come now", "her car has broken down"):
        await human.says(said)
    shown = "\n".join(await human.says("Forget what I said about Carol's car")).partition("Similar")[0]
    assert "her car has broken down" in shown
    assert "two daughters" not in shown
    assert "can't come" not in shown
