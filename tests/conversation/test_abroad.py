"""Whoever writes in a language the built-in mind does not speak is told so in it, kept and quoted word for word."""

from __future__ import annotations

import random

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.messages.store import turns
from furoshiki.world import World
from tests.support.laws import languages
from tests.support.world import FrozenClock, Human, Script

SPOKEN = {one.code: one for one in languages().each if one.spoken}


@pytest.fixture(autouse=True)
def reflex(model: Script) -> None:
    """The built-in mind answers everything."""
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 60


# code, where the key is, a remark that says nothing of it, and the question
KEYS = (
    ("zh", "备用钥匙在厨房的抽屉里", "今天好累啊", "备用钥匙在哪里?"),
    ("hi", "चाबी रसोई की दराज़ में है", "आज बहुत थक गया हूँ", "चाबी कहाँ है?"),
    ("hi-Latn", "chabi rasoi ki daraz mein hai", "aaj bahut thak gaya hoon", "chabi kahan hai"),
    ("es", "la llave está debajo de la maceta", "hoy estoy muy cansado", "¿dónde está la llave?"),
    ("fr", "la clé est sous le pot de fleurs", "je suis fatigué aujourd'hui", "où est la clé ?"),
    ("ar", "المفتاح تحت السجادة", "أنا تعبان اليوم", "أين المفتاح؟"),
    ("bn", "চাবিটা টেবিলের উপর আছে", "আজ খুব ক্লান্ত লাগছে", "চাবিটা কোথায়?"),
    ("pt", "a chave está embaixo do tapete", "hoje estou muito cansado", "onde está a chave?"),
    ("ru", "ключ лежит под ковриком", "сегодня я ужасно устал", "где ключ?"),
    ("ur", "چابی میز پر ہے", "آج میں بہت تھک گیا ہوں", "چابی کہاں ہے؟"),
    ("id", "kuncinya ada di bawah pot bunga", "aku capek banget hari ini", "di mana kuncinya?"),
    ("de", "der Schlüssel liegt unter der Matte", "ich bin heute sehr müde", "wo ist der Schlüssel?"),
    ("ja", "鍵は机の引き出しにあります", "今日はすごく疲れた", "鍵はどこにある?"),
    ("tr", "anahtar paspasın altında", "bugün çok yoruldum", "anahtar nerede?"),
    ("ko", "열쇠는 책상 위에 있어", "오늘 너무 피곤해", "열쇠는 어디에 있어?"),
    ("vi", "chìa khóa ở dưới thảm", "hôm nay mình mệt quá", "chìa khóa ở đâu?"),
    ("it", "la chiave è sotto il tappeto", "oggi sono molto stanco", "dov'è la chiave?"),
    ("nl", "de sleutel ligt onder de mat", "ik ben zo moe vandaag", "waar is de sleutel?"),
    ("pl", "klucz jest pod wycieraczką", "jestem dzisiaj bardzo zmęczony", "gdzie jest klucz?"),
    ("uk", "ключ лежить під килимком", "сьогодні я дуже втомилася", "де ключ?"),
    ("fa", "کلید روی میز است", "امروز خیلی خسته هستم", "کلید کجاست؟"),
)


@pytest.mark.parametrize(("code", "told", "remark", "question"), KEYS)
async def test_it_says_so_once_keeps_the_words_and_finds_them_again(
    code: str, told: str, remark: str, question: str, world: World, human: Human, clock: FrozenClock
) -> None:
    one = SPOKEN[code]
    assert await human.says(told) == [one.first.format(me="Furo")]
    assert (await human.says(remark))[0] in one.again
    clock.pass_(days=3)
    [answer] = await human.says(question)
    assert answer == f"{one.quoted.format(day='2026-03-24', words=told)} {one.first.format(me='Furo')}"
    with world.database.read() as db:
        assert {told, remark, question} <= {turn.text for turn in turns.recent(db, "telegram", "7", 20)}


async def test_it_is_said_once_in_a_long_conversation_too(human: Human) -> None:
    await human.says("hoy estoy muy cansado")
    for number in range(12):
        await human.says(f"the box with number {number} is in the cellar")
    assert (await human.says("no puedo dormir esta noche"))[0] in SPOKEN["es"].again


async def test_a_greeting_that_is_plainly_foreign_gets_no_english_one(human: Human) -> None:
    assert await human.says("merhaba, nasılsın?") == [SPOKEN["tr"].first.format(me="Furo")]


async def test_what_was_never_written_is_not_made_up(human: Human) -> None:
    await human.says("hoy estoy muy cansado")
    assert await human.says("¿dónde está la llave?") == [SPOKEN["es"].asked]


async def test_english_is_answered_in_english_again(human: Human) -> None:
    await human.says("hoy estoy muy cansado")
    assert "Noor" in (await human.says("sorry, I meant: my name is Noor"))[0]


@pytest.mark.parametrize("said", ["hola!", "danke", "schadenfreude is a great word", "c'est la vie", "haha", "ok"])
async def test_a_loan_word_is_no_language(said: str, human: Human) -> None:
    await human.says("hello")
    assert "only speak" not in (await human.says(said))[0]


async def test_commands_and_reminders_work_whatever_language_the_talk_is_in(human: Human) -> None:
    await human.says("hoy estoy muy cansado")
    assert "/forget" in (await human.says("/help"))[0]
    assert "18:00" in (await human.says("remind me at 18:00 to call Ana"))[0]
