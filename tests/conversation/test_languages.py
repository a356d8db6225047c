"""A person who writes in another language is felt with and remembered in it, through the whole turn."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.moves import Encoders
from furoshiki.app.wiring import LANGUAGES, lexicon
from furoshiki.conversation.worker import Worker
from furoshiki.core.database.connection import Database
from furoshiki.memory.store import memories
from furoshiki.messages.store import accounts
from furoshiki.models.llm.values import ToolCall
from furoshiki.recall.embeddings import models
from furoshiki.world import World
from tests.support.world import Human, Script


def owner_speaks(database: Database, world: World, language: str) -> None:
    with database.write() as db:
        accounts.pair(db, "telegram", "7", "7", "owner", world.now, name="Noor", language=language)


async def moved_by(world: World, human: Human, words: str) -> dict[str, float]:
    before = world.state.heartbeat().emotions.as_mapping()
    await human.says(words)
    after = world.state.heartbeat().emotions.as_mapping()
    return {name: after[name] - before[name] for name in before}


SAD = (
    ("de", "ich bin traurig"),
    ("de-AT", "ich bin heute so traurig und einsam"),
    ("es", "estoy muy triste"),
    ("tr", "çok üzgünüm"),
    ("ru", "мне очень грустно"),
)


@pytest.mark.parametrize(("language", "words"), SAD)
async def test_sadness_is_felt_in_the_owner_s_language(
    world: World, database: Database, human: Human, language: str, words: str
) -> None:
    owner_speaks(database, world, language)
    english = await moved_by(world, human, "I am so sad")
    theirs = await moved_by(world, human, words)
    assert english["affection"] > 0.2, "they are met with tenderness, which the second sadness finds there"
    assert english["worry"] > 0.01 and theirs["worry"] > 0.01


@pytest.mark.parametrize(("language", "words"), SAD)
async def test_without_that_language_it_is_not(world: World, human: Human, language: str, words: str) -> None:
    assert (await moved_by(world, human, words))["worry"] <= 0.0


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", "ich gehe nachher in den Garten und gieße die Tomaten"),
        ("es", "luego voy al mercado con mi hermano"),
        ("tr", "akşam markete gideceğim ve ekmek alacağım"),
        ("ru", "вечером я иду в магазин за хлебом"),
    ],
)
async def test_plain_words_move_no_more_than_in_english(
    world: World, database: Database, human: Human, language: str, words: str
) -> None:
    plain = await moved_by(world, human, "later I go to the market for bread")
    owner_speaks(database, world, language)
    theirs = await moved_by(world, human, words)
    assert theirs["worry"] <= plain["worry"] + 1e-6 and theirs["anger"] <= plain["anger"] + 1e-6


def test_english_stays_beside_every_language() -> None:
    for language in LANGUAGES:
        words = lexicon(language)
        assert words.language == "en" and words.beside is not None and words.beside.language == language
        assert words.of("I was in the garden and it is fine") is words


@pytest.mark.parametrize(
    ("said", "text", "object_"),
    [
        ("Я живу в Москве", "Пользователь живёт в Москва", "Москва"),
        ("Ankara'da yaşıyorum", "Kullanıcı Ankara'da yaşıyor", "Ankara"),
        ("Ich habe eine Nussallergie", "Der Nutzer ist allergisch gegen Nüsse", "Nüsse"),
        ("Soy alergica a las nueces", "La usuaria es alérgica a las nueces", "nueces"),
    ],
)
async def test_a_fact_is_memorized_in_the_words_of_its_language(
    world: World, human: Human, model: Script, said: str, text: str, object_: str
) -> None:
    model.lines = [ToolCall("1", "memorize", {"text": text, "subject": "user", "object": object_}), "Noted."]
    assert await human.says(said) == ["Noted."]
    with world.database.read() as db:
        kept = db.execute("SELECT object FROM memories WHERE status='active' OR unconfirmed IS NOT NULL").fetchall()
        refused = db.execute("SELECT reason FROM rejected_extractions").fetchall()
    assert object_ in [row["object"] for row in kept], [row["reason"] for row in refused]


@pytest.mark.parametrize(
    ("said", "text", "object_"),
    [
        ("妹のさくらが手伝ってくれてます", "Their little sister Sakura helps them.", "Sakura"),
        ("福岡で小さいパン屋をやってます", "They run a small bakery in Fukuoka.", "small bakery in Fukuoka"),
        ("동생 지은이가 부산에 살아", "Their sibling Jieun lives in Busan.", "Busan"),
        ("אחותי תמר גרה בחיפה", "Their sister Tamar lives in Haifa.", "Haifa"),
        ("أختي سلمى تسكن في الإسكندرية", "Their sister Salma lives in Alexandria.", "Alexandria"),
    ],
)
async def test_a_fact_is_memorized_whose_names_are_in_another_script(
    world: World, human: Human, model: Script, said: str, text: str, object_: str
) -> None:
    """“'Fukuoka' was never said” of 福岡: no letter tells how it is read, so a reader has to confirm it."""
    kept = ToolCall("1", "memorize", {"text": text, "subject": "user", "object": object_})
    model.lines = [kept, "Noted."]
    assert await human.says(said) == ["Noted."]
    with world.database.read() as db:
        found = db.execute("SELECT content, unconfirmed FROM memories WHERE content=?", (text,)).fetchall()
    assert [row["unconfirmed"] is not None for row in found] == [True]
    assert f"Kept: {text}" in model.questions[-1].messages[-1].text, "it need not say that a rule cannot read it"


@pytest.mark.parametrize(
    ("said", "text", "subject", "of"),
    [
        ("ik ben allergisch voor penicilline", "Femke is allergisch voor penicilline", "user", "user"),
        ("i'm allergic to penicillin", "Femke is allergic to penicillin", "user", "user"),
        ("i'm allergic to penicillin", "Femke is allergic to penicillin", "Femke", "user"),
        ("ich bin allergisch gegen Penicillin", "Femke ist allergisch gegen Penicillin", "Femke", "user"),
        ("my friend Theo is allergic to penicillin", "Theo is allergic to penicillin", "user", "Theo"),
        ("mn vriend Theo is allergisch voor penicilline", "Theo is allergisch voor penicilline", "Theo", "Theo"),
        ("my sister is allergic to penicillin", "Femke's sister is allergic to penicillin", "user", "sister"),
    ],
)
async def test_a_fact_of_the_user_by_name_is_theirs(
    world: World, human: Human, model: Script, said: str, text: str, subject: str, of: str
) -> None:
    model.lines = ["Hello Femke."]
    await human.says("My name is Femke de Boer, call me Femke")
    arguments = {"text": text, "subject": subject, "predicate": "allergic_to", "object": text.split()[-1]}
    model.lines = [ToolCall("1", "memorize", arguments), "Noted."]
    await human.says(said)
    with world.database.read() as db:
        assert [row["subject"] for row in db.execute("SELECT subject FROM memories WHERE content=?", (text,))] == [of]


@pytest.mark.parametrize(
    ("said", "when"),
    [
        ("明日の朝7時半に起こして", "明日の朝7時半"),
        ("розбуди мене завтра о сьомій ранку", "завтра о сьомій ранку"),
        ("væk mig i morgen kl. 7", "i morgen kl. 7"),
        ("wake me tomorrow before work", "tomorrow, before work"),
    ],
)
async def test_a_time_that_is_half_read_is_asked_for_again(human: Human, model: Script, said: str, when: str) -> None:
    """“明日” is a day in Chinese too: the rest was left out, and they would have been woken at nine."""
    call = {"action": "create", "what": "7:30", "when": when}
    model.lines = [ToolCall("c1", "schedule", call), ToolCall("c2", "schedule", {**call, "when": ISO}), "OK."]
    await human.says(said)
    results = [one.text for one in model.questions[-1].messages if one.role == "tool"]
    assert "Give an ISO time" in results[0]
    assert "Reminder 1" in results[1] and "07:30" in results[1]


ISO = "2026-03-25T07:30"


NAME_ASKED = {"en": "Hello! What is your name?", "fr": "Salut ! Et toi, c'est comment, ton prénom ?"}


@pytest.mark.parametrize(
    ("language", "said", "name"),
    [
        ("en", "im harold", "Harold"),
        ("en", "harold here", "Harold"),
        ("en", "its harold", "Harold"),
        ("en", "im tired", None),
        ("en", "its fine", None),
        ("fr", "moi cest samia", "Samia"),
        ("fr", "je mapelle samia", "Samia"),
        ("fr", "jsuis morte", None),
        ("fr", "c fini", None),
        ("fr", "c nul", None),
        ("en", "疲れた", None),
        ("en", "学生です", None),
        ("en", "葵です", None),
    ],
)
@pytest.mark.skipif(not models.has_multilingual(), reason="the multilingual encoder is not installed")
async def test_the_answer_to_the_question_for_the_name_is_a_name(
    database: Database, world: World, model: Script, language: str, said: str, name: str | None
) -> None:
    """“C Fini”, “Jsuis Morte” and “疲れた” were how they wanted to be called, and “im harold” was not."""
    owner_speaks(database, world, language)
    hearing = replace(world, vectors=Encoders())
    human = Human(hearing, Worker(hearing))
    model.lines = [NAME_ASKED[language]] * 9
    await human.says("slt" if language == "fr" else "hey")
    await human.says(said)
    with world.database.read() as db:
        known = [fact.content for fact in memories.read_known(db, 9)]
    assert known == ([f"They want to be called {name}."] if name else [])


async def test_turkish_without_its_accents_is_answered_in_turkish(human: Human, model: Script) -> None:
    """Of the first long message one word in five was known, and "once" made it English."""
    model.lines = [
        '{"signals": []}',
        ToolCall("c1", "schedule", {"action": "create", "what": "notlar", "when": "2026-03-25T20:00"}),
        "Oldu.",
    ]
    await human.says(
        "iyi valla ders calisiyorum bayildim. ege universitesinde makine muhendisligi okuyorum 3. sinif, bornovada 2 "
        "arkadasla ev tutuyoruz. persembe gunu vizem var bi gun once aksam 8de hatirlatsana notlari tekrar edeyim"
    )
    assert "Hatırlatma 1: notlar" in model.questions[-1].messages[-1].text


async def test_who_gives_the_full_name_and_the_one_to_use_is_called_by_that(world: World, human: Human) -> None:
    await human.says(
        "Guten Tag, mein Name ist Gisela Brandt, pensionierte Lehrerin, aber bitte nennen Sie mich Gisela."
    )
    with world.database.read() as db:
        assert [fact.content for fact in memories.read_known(db, 9)] == ["They want to be called Gisela."]
