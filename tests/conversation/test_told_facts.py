"""What somebody tells of themselves without a model: what is answered, and what the database holds of it."""

from __future__ import annotations

import re

import pytest

from furoshiki.memory.store import memories
from furoshiki.world import World
from tests.support.reflexes import reflexive
from tests.support.world import Human, Script


@pytest.fixture(autouse=True)
def reflex(model: Script) -> None:
    """The built-in mind answers everything."""
    reflexive(model)


async def test_debts_are_listed_until_they_are_paid(human: Human) -> None:
    for said in ("I owe Meera 40 quid", "also Jonas owes me 15", "I owe Tom 20"):
        [answer] = await human.says(said)
        assert "remind you an hour before" not in answer
    [answer] = await human.says("who do I owe money to")
    assert "Meera" in answer and "Tom" in answer and "Jonas" not in answer
    await human.says("paid meera back")
    [answer] = await human.says("who do i owe?")
    assert "Tom" in answer and "Meera" not in answer
    [answer] = await human.says("do I owe Meera anything")
    assert "Meera" not in answer or "paid" in answer
    [answer] = await human.says("who owes me money?")
    assert "Jonas owes me 15" in answer and "Tom" not in answer


async def test_a_debt_told_in_german_is_no_question(human: Human) -> None:
    await human.says("ich hab jan 20 euro geliehen")
    [answer] = await human.says("tom schuldet mir auch noch 15")
    assert "jan" not in answer
    [answer] = await human.says("wer schuldet mir was")
    assert "jan" in answer and "tom" in answer


def _now(world: World, predicate: str) -> list[str | None]:
    """The objects of the user's current facts with a predicate."""
    with world.database.read() as db:
        return [memory.object for memory in memories.read_known(db) if memory.predicate == predicate]


ENDED = [
    ("I work at the bakery on Mill Lane", "quit the bakery today", "works_at"),
    ("I work at Tesco", "I don't work there any more", "works_at"),
    ("I work at Tesco", "got sacked from tesco last week", "works_at"),
    ("I live in Leeds", "we don't live there any more", "lives_in"),
    ("I have a dog called Pip", "I have no dog", "dog"),
    ("I have a dog called Pip", "that's wrong, I have no dog", "dog"),
    ("I have a cat called Momo", "i dont have a cat any more", "cat"),
    ("my sister is called Anna", "I don't have a sister", "sister"),
    ("my sister is called Anna", "we never had any siblings", "sister"),
    ("my girlfriend is called Eva", "we split up last night", "girlfriend"),
    ("my boyfriend is called Tom", "tom left me", "boyfriend"),
    ("I like olives", "I don't like olives any more", "likes"),
    ("ich arbeite als Köchin", "ich arbeite nicht mehr als Köchin", "works_as"),
    ("mein Hund heißt Rex", "ich hab keinen Hund", "dog"),
    ("meine Freundin heißt Eva", "wir haben uns getrennt", "girlfriend"),
    ("mi perro se llama Rex", "no tengo perro", "dog"),
    ("mi novio se llama Luis", "lo hemos dejado", "boyfriend"),
    ("mon chien s'appelle Rex", "j'ai plus de chien", "dog"),
    ("mon copain s'appelle Luc", "on s'est séparés", "boyfriend"),
    ("il mio cane si chiama Rex", "non ho più un cane", "dog"),
    ("il mio ragazzo si chiama Luca", "ci siamo lasciati", "boyfriend"),
    ("meu cachorro se chama Rex", "não tenho cachorro", "dog"),
    ("meu namorado se chama João", "a gente terminou", "boyfriend"),
    ("мою собаку зовут Рекс", "у меня нет собаки", "dog"),
    ("моего парня зовут Олег", "мы расстались", "boyfriend"),
    ("köpeğimin adı Rex", "köpeğim yok", "dog"),
    ("我的狗叫小黑", "我没有狗", "dog"),
    ("我女朋友叫小红", "我们分手了", "girlfriend"),
]


@pytest.mark.parametrize(("told", "over", "predicate"), ENDED)
async def test_what_is_over_is_ended(world: World, human: Human, told: str, over: str, predicate: str) -> None:
    await human.says(told)
    assert len(_now(world, predicate)) == 1
    await human.says(over)
    assert _now(world, predicate) == []


@pytest.mark.parametrize(
    ("told", "other", "predicate"),
    [
        ("I work at the bakery on Mill Lane", "left the bakery at 5", "works_at"),
        ("I work at the bakery on Mill Lane", "I quit smoking", "works_at"),
        ("I work at Tesco", "left work early today", "works_at"),
        ("I work at Tesco", "should I quit Tesco?", "works_at"),
        ("I work at Tesco", "if I quit Tesco I could sleep", "works_at"),
        ("I have a dog called Pip", "I have no cat", "dog"),
        ("I have a dog called Pip", "my sister has no dog", "dog"),
        ("my girlfriend is called Eva", "we split up the bill", "girlfriend"),
        ("my girlfriend is called Eva", "Anna and Tom split up", "girlfriend"),
        ("my girlfriend is called Eva", "my parents split up", "girlfriend"),
        ("my girlfriend is called Eva", "eva left me a note", "girlfriend"),
        ("meine Freundin heißt Eva", "wir haben uns am Bahnhof getroffen", "girlfriend"),
        ("mein Hund heißt Rex", "ich habe keine Zeit", "dog"),
    ],
)
async def test_what_goes_on_is_not_ended(world: World, human: Human, told: str, other: str, predicate: str) -> None:
    await human.says(told)
    await human.says(other)
    assert len(_now(world, predicate)) == 1


async def test_what_is_over_is_told_as_over(human: Human) -> None:
    await human.says("I work at the bakery on Mill Lane")
    [answer] = await human.says("quit the bakery today")
    assert "used to work at the bakery" in answer
    for asked in ("where do I work?", "where did I work before"):
        [answer] = await human.says(asked)
        assert "used to work at the bakery on Mill Lane" in answer


async def test_no_dog_holds_until_there_is_one(world: World, human: Human) -> None:
    await human.says("I have a dog called Pip")
    await human.says("I have no dog")
    [answer] = await human.says("what's my dog called?")
    assert "no dog" in answer and "Pip" not in answer
    await human.says("I have a dog called Rex")
    assert _now(world, "dog") == ["Rex"] and _now(world, "has_pet") == []


async def test_what_used_to_be_is_no_guess(world: World, human: Human) -> None:
    await human.says("I used to live in Rome")
    [answer] = await human.says("where did I live before?")
    assert "used to live in Rome" in answer


def _of(world: World, subject: str) -> dict[str | None, str | None]:
    """The current facts of somebody."""
    with world.database.read() as db:
        return {memory.predicate: memory.object for memory in memories.read_known(db) if memory.subject == subject}


async def test_he_is_whom_the_message_before_was_about(world: World, human: Human) -> None:
    await human.says("my dad turned 60 last week")
    await human.says("any ideas for a present for my dad")
    await human.says("he likes fishing")
    assert _of(world, "father") == {"age": "60", "likes": "fishing"}
    [answer] = await human.says("what does my dad like?")
    assert "fishing" in answer


@pytest.mark.parametrize(
    ("before", "said", "asked", "subject"),
    [
        ("any ideas for a present for my mum", "its her 58th on 9 may", "when is my mums birthday", "mother"),
        ("my dad wants a boat", "his birthday is 9 may", "when is my dad's birthday?", "father"),
        ("hello", "my dads 60th is on 9 may", "when is my dads birthday", "father"),
        ("I've got a little boy, Arun, hes 4", "his birthday is on 9 may", "when is aruns birthday", "Arun"),
    ],
)
async def test_a_birthday_is_theirs(
    world: World, human: Human, before: str, said: str, asked: str, subject: str
) -> None:
    await human.says(before)
    await human.says(said)
    assert _of(world, subject)["birthday"] == "9 may"
    [answer] = await human.says(asked)
    assert "birthday is 9 may" in answer


async def test_a_little_boy_is_a_son(world: World, human: Human) -> None:
    await human.says("i've got a little boy, Arun, hes 4")
    assert _of(world, "Arun") == {"age": "4"} and _now(world, "son") == ["Arun"]


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("my brother is a plumber", "she likes pizza"),
        ("my sister lives in Leeds", "its raining on 9 may"),
        ("my sister lives in Leeds", "its his turn on 9 may"),
        ("I like olives", "he likes pizza"),
    ],
)
async def test_nobody_is_taken_for_another(world: World, human: Human, before: str, said: str) -> None:
    await human.says(before)
    with world.database.read() as db:
        told = memories.read_known(db)
    await human.says(said)
    with world.database.read() as db:
        assert memories.read_known(db) == told


SOURCES = [
    (
        "I was a signalman for thirty years",
        "Where did you learn that I was a signalman?",
        "You told me today: “I was a sig",
    ),
    ("ich war dreißig Jahre Weichensteller", "wo hast du erfahren, dass ich Weichensteller war?", "Weichensteller“"),
    ("fui guardagujas treinta años", "¿cómo te enteraste de que fui guardagujas?", "fui guardagujas treinta"),
    ("j'ai été aiguilleur trente ans", "où as-tu appris que j'ai été aiguilleur ?", "aiguilleur trente ans"),
    ("ho fatto il ferroviere per trent'anni", "come hai saputo che ho fatto il ferroviere?", "per trent"),
]


@pytest.mark.parametrize(("told", "asked", "answered"), SOURCES)
async def test_what_was_is_told_with_its_source(human: Human, told: str, asked: str, answered: str) -> None:
    await human.says(told)
    answer = "".join(await human.says(asked))
    assert answered in answer


async def test_a_quote_that_answers_stands_alone(human: Human) -> None:
    await human.says("my sister Ruth rings every sunday at six")
    [answer] = await human.says("When does Ruth ring?")
    assert answer == "You told me today: “my sister Ruth rings every sunday at six”."


async def test_what_is_to_be_forgotten_is_quoted_for_nothing(human: Human) -> None:
    await human.says("his feet are size 10")
    await human.says("forget that his feet are size 10")
    [answer] = await human.says("what size are his feet")
    assert "forget" not in answer


PLAYED = [
    ("lets play a game", "coin"),
    ("count to ten", "1, 2, 3, 4, 5, 6, 7, 8, 9, 10."),
    ("20 quid in euros", "can't answer|beyond|Beyond|won't|don't know"),
    ("tell me something cheerful", "in common|dinosaur|memory is|log|therapy|[.?!]"),
]


@pytest.mark.parametrize(("said", "answered"), PLAYED)
async def test_what_is_asked_in_play_is_not_only_kept(human: Human, said: str, answered: str) -> None:
    await human.says("hello, I'm Joe")
    [answer] = await human.says(said)
    assert re.search(answered, answer) and "ept" not in answer


@pytest.mark.parametrize("said", ["i can count to ten", "we played a game", "count on me", "he likes to play games"])
async def test_what_is_told_of_play_is_no_request(human: Human, said: str) -> None:
    await human.says("hello, I'm Joe")
    [answer] = await human.says(said)
    assert "1, 2" not in answer and "coin" not in answer


@pytest.mark.parametrize("said", ["i dont have a sister", "I don't have a sister", "I haven't got any sisters"])
async def test_that_there_is_nobody_is_no_guess(world: World, human: Human, said: str) -> None:
    await human.says(said)
    assert len(_now(world, "has_family")) == 1
