"""Somebody who writes another language than English, without a model: in eight languages it talks with them; in others
they are told in it that it does not, kept and quoted word for word."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.conversation.worker import Worker
from furoshiki.core import catalogue
from furoshiki.core.catalogue import say, speaking
from furoshiki.language.reflex.other_languages import CAN, JOKES
from furoshiki.messages.store import turns
from furoshiki.owner.user_model import user
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.world import World
from tests.support.abroad import KEYS, SPOKEN
from tests.support.meaning import Meant
from tests.support.world import FrozenClock, Human, Script

EVENINGS = sorted(Path(__file__).parent.glob("evenings_abroad/*.tsv"))
UNSPOKEN = [one for one in KEYS if one[0] not in catalogue.languages()]


@pytest.fixture(autouse=True)
def reflex(model: Script) -> None:
    """The built-in mind answers everything."""
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 60


@pytest.mark.parametrize("evening", EVENINGS, ids=lambda path: path.stem)
async def test_an_evening_is_talked_through_and_its_facts_are_kept(
    evening: Path, world: World, human: Human, clock: FrozenClock
) -> None:
    """Each line is "said, answered", and the last ones what memory holds: "memory", predicate, object."""
    rows = [line.split("\t") for line in evening.read_text(encoding="utf-8").splitlines()]
    for said, answered in (row for row in rows if row[0] != "memory"):
        assert (said, await human.says(said)) == (said, [answered])
        clock.pass_(minutes=10)
    with world.database.read() as db:
        held = db.execute(
            "SELECT m.predicate, m.object, t.text FROM memories m JOIN memory_sources s ON s.memory_id=m.id "
            "JOIN turns t ON t.id=s.turn_id WHERE m.subject='user' AND m.status='active' ORDER BY m.id"
        ).fetchall()
    assert [tuple(row) for row in held] == [tuple(row[1:]) for row in rows if row[0] == "memory"]


REMIND = {
    "de": "erinner mich morgen um 9 an den Müll",
    "es": "recuérdame mañana a las 9 la basura",
    "fr": "rappelle-moi demain à 9h la poubelle",
    "it": "ricordami domani alle 9 la spazzatura",
    "pt": "me lembra amanhã às 9 do lixo",
    "ru": "напомни завтра в 9 про мусор",
    "tr": "yarın 9'da çöpü hatırlat",
    "zh": "明天9点提醒我倒垃圾",
}


@pytest.mark.parametrize("code", sorted(REMIND))
async def test_that_the_model_is_away_is_said_once_and_in_their_language(
    code: str, world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="unreachable")] * 9
    with speaking(code):
        away = say("My language model isn't answering right now.")
    [first] = await human.says(REMIND[code])
    clock.pass_(minutes=1)
    [second] = await human.says(REMIND[code].replace("9", "8"))
    assert (first.count(away), second.count(away), "language model" in first + second) == (1, 0, False), (first, second)


GREETED = {
    "de": "Hallo!",
    "es": "¡Hola!",
    "fr": "Bonjour !",
    "it": "Ciao!",
    "pt": "Olá!",
    "ru": "Привет!",
    "tr": "Merhaba!",
    "zh": "你好！",
}


@pytest.mark.parametrize("language", GREETED)
@pytest.mark.parametrize("hello", ["hi", "hey", "hello", "Hi!"])
async def test_a_hello_as_all_the_world_writes_it_is_greeted_back(world: World, language: str, hello: str) -> None:
    """A first “hi” was heard as a laugh in German and French, and “hello” as something to keep."""
    theirs = replace(world, settings=world.settings.model_copy(update={"furoshiki_language": language}))
    [said] = await Human(theirs, Worker(theirs)).says(hello)
    assert said.startswith(GREETED[language])


@pytest.mark.parametrize(("language", "laughs"), [("de", "hihi"), ("de", "hihihi"), ("fr", "hihi")])
async def test_a_laugh_is_no_hello(world: World, language: str, laughs: str) -> None:
    theirs = replace(world, settings=world.settings.model_copy(update={"furoshiki_language": language}))
    [said] = await Human(theirs, Worker(theirs)).says(laughs)
    assert not said.startswith(GREETED[language])


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("Meine Schwester heißt Anna.", "Was weißt du über mich?"),
        ("Mi hermana se llama Ana.", "¿Qué sabes de mí?"),
        ("Ma sœur s'appelle Anna.", "Qu'est-ce que tu sais de moi ?"),
        ("Mia sorella si chiama Anna.", "Cosa sai di me?"),
        ("A minha irmã chama-se Ana.", "O que você sabe sobre mim?"),
        ("Мою сестру зовут Анна.", "Что ты обо мне знаешь?"),
        ("Kız kardeşimin adı Ayşe.", "Benim hakkımda ne biliyorsun?"),
        ("我姐姐叫小雨。", "你知道我什么？"),
        ("yüzmeyi severim", "hakkımda ne biliyorsun?"),
        ("ich arbeite nachts im krankenhaus", "was weißt du über mich"),
        ("trabajo de noche en una panaderia", "que sabes de mi"),
    ],
)
async def test_asked_what_it_knows_it_quotes_all_that_was_told(human: Human, told: str, asked: str) -> None:
    [nothing] = await human.says(asked)
    assert told not in nothing
    await human.says(told)
    [known] = await human.says(asked)
    assert told in known
    assert "/memory" in known


async def test_a_correction_is_quoted_with_what_it_put_right(human: Human) -> None:
    for said in ("Meine Schwester heißt Anita", "nein, sie heißt Anika", "nein, sie heißt Annika"):
        await human.says(said)
    [known] = await human.says("Was weißt du über mich?")
    assert "„Meine Schwester heißt Anita … nein, sie heißt Annika“" in known


@pytest.mark.parametrize(
    ("told", "first", "then", "asked", "known"),
    [
        (
            "the vet is on tuesday",
            "no, monday",
            "no, wednesday",
            "when is the vet?",
            "vet is on wednesday”. That is on ",
        ),
        (
            "der tierarzt ist am dienstag",
            "nein, montag",
            "nein, mittwoch",
            "wann ist der tierarzt?",
            "ist am mittwoch“. Das",
        ),
        (
            "el veterinario es el martes",
            "no, lunes",
            "no, el miércoles",
            "cuándo es el veterinario?",
            "es el miércoles». Es",
        ),
        ("le véto c'est mardi", "non, lundi", "non, mercredi", "c'est quand le véto ?", "c'est mercredi ». C’est"),
        ("il veterinario è martedì", "no, lunedì", "no, mercoledì", "quando è il veterinario?", "è mercoledì». È"),
        ("o veterinário é terça", "não, segunda", "não, quarta", "quando é o veterinário?", "é quarta”. É"),
        ("ветеринар во вторник", "нет, в понедельник", "нет, в среду", "когда ветеринар?", "в среду». Это"),
        (
            "veteriner salı günü",
            "hayır, pazartesi",
            "hayır, çarşamba",
            "veteriner ne zaman?",
            "veteriner çarşamba”. Yani",
        ),
        ("周二去看兽医", "不对，是周一", "不对，是周三", "什么时候去看兽医？", "周三去看兽医”。就是"),
    ],
)
async def test_words_are_told_as_last_corrected_with_their_date(
    human: Human, told: str, first: str, then: str, asked: str, known: str
) -> None:
    for said in (told, first, then):
        await human.says(said)
    [answer] = await human.says(asked)
    assert known in answer
    assert "25" in answer
    assert told not in answer


@pytest.mark.parametrize(
    ("told", "corrected", "asked"),
    [
        ("Meine Schwester heißt Anita.", "Das stimmt nicht, sie heißt Anika!", "Wie heißt meine Schwester?"),
        ("Meine Schwester heißt Anita.", "nein, sie heißt Anika", "Wie heißt meine Schwester?"),
        ("Meine Schwester heißt Anita.", "Anika, nicht Anita", "Wie heißt meine Schwester?"),
        ("Ma sœur s'appelle Anita.", "je voulais dire Anika", "Comment s'appelle ma sœur ?"),
        ("Мою сестру зовут Анита.", "не Анита, а Аника", "Как зовут мою сестру?"),
        ("Kız kardeşimin adı Ayşe.", "Ayşe değil, Ayla", "Kız kardeşimin adı ne?"),
        ("Mi hermana se llama Anita.", "no, se llama Anika", "¿Cómo se llama mi hermana?"),
        ("Ma sœur s'appelle Anita.", "non, elle s'appelle Anika", "Comment s'appelle ma sœur ?"),
        ("Mia sorella si chiama Anita.", "no, scusa, si chiama Anika", "Come si chiama mia sorella?"),
        ("A minha irmã chama-se Anita.", "não, chama-se Anika", "Como se chama a minha irmã?"),
        ("Мою сестру зовут Анита.", "нет, её зовут Аника", "Как зовут мою сестру?"),
        ("Kız kardeşimin adı Ayşe.", "hayır, adı Ayla", "Kız kardeşimin adı ne?"),
        ("Kız kardeşimin adı Ayşe.", "aslında kız kardeşimin adı Ayşe değil Ayla", "Kız kardeşimin adı ne?"),
        ("My sister is called Anita.", "actually my sister isn't called Anita but Anika", "What is my sister's name?"),
        (
            "Meine Schwester heißt Anita.",
            "meine Schwester heißt nicht Anita, sondern Anika",
            "Wie heißt meine Schwester?",
        ),
        ("Mi hermana se llama Anita.", "mi hermana no se llama Anita sino Anika", "¿Cómo se llama mi hermana?"),
        ("Ma sœur s'appelle Anita.", "ma sœur ne s'appelle pas Anita mais Anika", "Comment s'appelle ma sœur ?"),
        ("Mia sorella si chiama Anita.", "mia sorella non si chiama Anita ma Anika", "Come si chiama mia sorella?"),
        ("A minha irmã chama-se Anita.", "a minha irmã não se chama Anita, mas Anika", "Como se chama a minha irmã?"),
        ("Мою сестру зовут Анита.", "мою сестру зовут не Анита, а Аника", "Как зовут мою сестру?"),
    ],
)
async def test_a_name_that_was_wrong_is_put_right(
    world: World, human: Human, told: str, corrected: str, asked: str
) -> None:
    await human.says(told)
    [answer] = await human.says(corrected)
    right = next(name for name in ("Anika", "Аника", "Ayla") if name.lower() in corrected.lower())
    assert right in answer
    assert ("Put right" in answer) == told.startswith("My")
    assert "Corrected" not in answer
    with world.database.read() as db:
        held = db.execute("SELECT object FROM memories WHERE status='active' AND predicate='sister'").fetchall()
    assert [row[0] for row in held] == [right]
    assert right in (await human.says(asked))[0]


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("My sister is called Anita.", "no, his name is Tom"),
        ("Meine Schwester heißt Anita.", "nein, er heißt Tom"),
        ("Meine Schwester heißt Anita.", "nein, sie heißt genauso wie meine Oma"),
        ("Mi hermana se llama Anita.", "no, él se llama Tom"),
        ("Mi hermana se llama Anita.", "perdona, el perro se llama Rex"),
        ("Ma sœur s'appelle Anita.", "non, il s'appelle Tom"),
        ("Mia sorella si chiama Anita.", "no, lui si chiama Tom"),
        ("A minha irmã chama-se Anita.", "não, ele chama-se Tomás"),
        ("Мою сестру зовут Анита.", "нет, его зовут Том"),
        ("Kız kardeşimin adı Ayşe.", "hayır, köpeğin adı Rex"),
    ],
)
async def test_what_is_said_of_somebody_else_puts_nothing_right(
    world: World, human: Human, told: str, said: str
) -> None:
    await human.says(told)
    await human.says(said)
    with world.database.read() as db:
        [held] = db.execute("SELECT object FROM memories WHERE status='active' AND predicate='sister'").fetchall()
    assert held[0] in told


@pytest.mark.parametrize(
    ("told", "corrected", "held"),
    [
        ("Pixel ist meine Katze", "ne, Pixel ist ein Hund", ("dog", "Pixel")),
        ("Pixel ist meine Katze", "Pixel ist ein Hund", ("dog", "Pixel")),
        (
            "meine Cousine heißt Anika",
            "nein, das ist nicht meine Cousine, das ist meine Schwester",
            ("sister", "Anika"),
        ),
        ("tengo un gato que se llama Pixel", "no, Pixel es un perro", ("dog", "Pixel")),
        ("mi prima se llama Nuria", "no, no es mi prima, es mi hermana", ("sister", "Nuria")),
        ("Pixel est mon chat", "non, Pixel est un chien", ("dog", "Pixel")),
        ("mon copain s'appelle Hugo", "non c'est pas mon copain, c'est mon mari", ("husband", "Hugo")),
        ("Pixel è il mio gatto", "no, Pixel è un cane", ("dog", "Pixel")),
        ("Pixel é meu gato", "não, Pixel é um cachorro", ("dog", "Pixel")),
        ("Пиксель это мой кот", "нет, Пиксель это собака", ("dog", "Пиксель")),
        ("Pamuk benim kedim", "hayır, Pamuk bir köpek", ("dog", "Pamuk")),
        ("豆豆是我的猫", "不对，豆豆是狗", ("dog", "豆豆")),
    ],
)
async def test_what_somebody_is_is_put_right(
    world: World, human: Human, told: str, corrected: str, held: tuple[str, str]
) -> None:
    await human.says(told)
    [answer] = await human.says(corrected)
    assert "Put right" not in answer and "Corrected" not in answer
    assert "“" not in answer
    with world.database.read() as db:
        facts = db.execute("SELECT predicate, object FROM memories WHERE status='active' AND predicate!='name'")
        assert [tuple(row) for row in facts] == [held]


@pytest.mark.parametrize(
    ("told", "corrected", "asked"),
    [
        ("ich hab eine schwester, lucie, die wohnt in hannover", "nein, sie wohnt in Hamburg", "wo wohnt lucie"),
        ("Tengo una hija, Rosario, que vive en Sevilla", "no, vive en Huelva", "¿Dónde vive mi hija?"),
        ("Sophie vit à Bordeaux et Marc à Lille", "non, Marc vit à Roubaix", "Où vit Marc ?"),
        ("Ho un figlio, Andrea, che abita a Genova", "no, abita a Savona", "Dove abita mio figlio?"),
        ("Tenho um filho, o Rui, que vive em Braga", "não, vive no Porto", "Onde vive o meu filho?"),
        ("У меня есть сын Андрей, он живёт в Самаре", "нет, он живёт в Саратове", "где живёт мой сын?"),
        ("Bir oğlum var, Murat, Bursa'da yaşıyor", "hayır, Balıkesir'de yaşıyor", "oğlum nerede yaşıyor?"),
        ("我姐姐叫小雨，住在杭州", "不对，住在苏州", "姐姐住在哪里？"),
        ("邻居叫张芳", "说错了，叫张方", "邻居叫什么？"),
        ("我儿子叫小明", "不是小明，是小民", "我儿子叫什么名字？"),
    ],
)
async def test_words_that_were_put_right_are_quoted_with_what_is_right(
    human: Human, told: str, corrected: str, asked: str
) -> None:
    await human.says(told)
    [answer] = await human.says(corrected)
    assert "Put right" not in answer and "Corrected" not in answer
    [answer] = await human.says(asked)
    assert corrected in answer or corrected.rpartition("，叫")[2].rpartition(" ")[2] in answer
    assert told not in answer or corrected in answer


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("vivo en Valencia con mi novio Pau", "donde vivo"),
        ("moro em Recife", "onde eu moro?"),
        ("Il mio compleanno è il 14 ottobre", "quand'è il mio compleanno"),
        ("Mi médico es el doctor Salas", "¿cómo se llama mi médico?"),
        ("el cumple de papá es el 3 de mayo", "¿cuándo es el cumple de mi padre?"),
        ("trabalho como enfermeira em Recife", "onde eu trabalho?"),
        ("bizim kızın öğretmeni Trabzon'da yaşıyor", "kızın öğretmeni nerede yaşıyor"),
    ],
)
async def test_a_question_of_small_words_finds_what_was_told(human: Human, told: str, asked: str) -> None:
    await human.says("Mi nieto se llama Álvaro y estudia medicina")
    await human.says(told)
    assert told in (await human.says(asked))[0]


async def test_words_that_were_just_quoted_are_put_right_however_long_ago_they_were_said(
    human: Human, clock: FrozenClock
) -> None:
    clock.tick = timedelta(milliseconds=1)
    await human.says("mi hermana vive en Girona")
    for _ in range(7):
        await human.says("hoy fui al mercado con las niñas")
    await human.says("¿dónde vive mi hermana?")
    await human.says("no, vive en Salt")
    assert "Girona … no, vive en Salt" in (await human.says("¿dónde vive mi hermana?"))[0]


async def test_a_fact_is_found_by_another_way_to_tell_it(human: Human) -> None:
    await human.says("je suis né le 4 avril")
    assert "je suis né le 4 avril" in (await human.says("c'est quand mon anniversaire"))[0]


async def test_a_relation_is_put_right_in_words_that_no_fact_was_made_of(human: Human) -> None:
    await human.says("vivo en Lugo con mi novio Pau")
    assert await human.says("no, no es mi novio, es mi marido") == ["Corregido: marido, no novio."]


@pytest.mark.parametrize(
    "asked", ["我住在哪儿", "nerede oturuyorum", "ablamın adı neydi", "donde vivo", "wo wohne ich", "où j'habite"]
)
async def test_a_question_without_its_mark_states_nothing(world: World, human: Human, asked: str) -> None:
    await human.says(asked)
    with world.database.read() as db:
        assert db.execute("SELECT object FROM memories").fetchall() == []


@pytest.mark.parametrize(
    ("code", "asked", "more", "bored"),
    [
        ("de", "erzähl mir nen witz", "noch einen bitte", "mir ist so langweilig"),
        ("es", "Cuénteme un chiste", "otro", "me aburro un montón"),
        ("fr", "Vous pouvez me raconter une blague ?", "encore une", "je m'ennuie trop"),
        ("it", "raccontami una barzelletta", "un'altra", "mi annoio un sacco"),
        ("pt", "conta-me uma anedota", "outra", "estou aborrecido"),
        ("ru", "расскажи анекдот", "ещё один", "мне скучно"),
        ("tr", "bana bir fıkra anlatır mısın?", "bir tane daha", "canım sıkılıyor"),
        ("zh", "给我讲个笑话吧", "再来一个", "好无聊啊"),
    ],
)
async def test_a_joke_is_told_in_each_language(human: Human, code: str, asked: str, more: str, bored: str) -> None:
    with speaking(code):
        jokes = [say(one) for one in JOKES]
    await human.says(next(told for key, told, *_ in KEYS if key == code))
    [first], [second] = await human.says(asked), await human.says(more)
    assert {first, second} < set(jokes)
    assert first != second
    [answer] = await human.says(bored)
    assert answer in jokes or answer[-1] in "?？"


async def test_who_is_dead_tired_has_lost_nobody(human: Human) -> None:
    await human.says("sou a Mariana")
    [answer] = await human.says("tô morta de cansada")
    assert "Sinto muito" not in answer


@pytest.mark.parametrize("code", sorted(catalogue.languages() - {catalogue.ENGLISH}))
async def test_what_it_can_do_is_said_once_in_a_conversation(code: str, human: Human) -> None:
    _, told, remark, question = next(one for one in KEYS if one[0] == code)
    with speaking(code):
        can = say(CAN)
    replies = [(await human.says(one))[0] for one in (told, remark, question, told)]
    assert sum(can in reply for reply in replies) == 1
    assert not any("English" in reply for reply in replies)


@pytest.mark.parametrize(
    ("said", "answered"),
    [
        ("na du, wie läuft's denn bei dir heute so?", "gut, danke."),
        ("senti, ma tu in pratica cosa sai fare?", "Che cosa so fare:"),
        ("ben artık yatmaya gidiyorum, hadi iyi geceler", "Kendine iyi bak"),
        ("verrätst du mir mal, wofür du eigentlich gut bist?", "Das kann ich:"),
        ("senti, io vado a nanna", "Stammi bene."),
        ("la nonna dorme già", "Resta qui, con le tue parole."),
        ("der Saugroboter meiner Schwester ist wieder kaputt", "Oh nein. So ein Mist."),
    ],
)
async def test_what_no_phrase_tells_is_told_by_its_vector(said: str, answered: str, human: Human, world: World) -> None:
    human.worker.world = replace(world, vectors=Meant())
    assert answered in (await human.says(said))[0]


async def test_grief_is_met_before_anything_else_and_nothing_light_is_said_after_it(human: Human) -> None:
    sorry = "Das tut mir sehr leid. Du musst nichts sagen, und du kannst alles sagen."
    assert await human.says("mein Vater ist gestern gestorben") == [sorry]
    assert await human.says("er war immer für uns da") == ["Ich bin da. Lass dir Zeit."]


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ("hola! soy Nico, de Rosario", "Nico"),
        ("no soporto la cebolla cruda", "Es bueno saberlo"),
        ("hab nen hund, heißt milo", "Milo: Den Namen merke ich mir."),
        ("recordame mañana a las 8 sacar la basura", "sacar la basura"),
        ("in der küche steht ne lampe. weißt du?", "so wie du es schreibst"),
    ],
)
async def test_what_is_typed_on_a_phone_is_kept(human: Human, told: str, words: str) -> None:
    await human.says("hallo" if told.startswith(("hab", "in")) else "buenas")
    assert words in (await human.says(told))[0]


async def test_a_name_alone_answers_the_question_for_it(human: Human, world: World) -> None:
    assert (await human.says("bonjour"))[0].endswith("Comment veux-tu que je t’appelle ?")
    assert "Léa" in (await human.says("Léa"))[0]
    assert await human.says("comment je m'appelle ?") == ["Tu t’appelles Léa."]


@pytest.mark.parametrize(
    ("greeting", "said", "name"),
    [
        ("hallo", "ich bin Arzt", None),
        ("hallo", "ich bin Thomas", "Thomas"),
        ("hola", "soy Mexicana", None),
        ("hola", "soy Nuria", "Nuria"),
        ("你好", "我是医生", None),
        ("你好", "我是小美", "小美"),
    ],
)
async def test_what_somebody_is_does_not_answer_for_their_name_where_its_vector_tells(
    greeting: str, said: str, name: str | None, human: Human, world: World
) -> None:
    human.worker.world = replace(world, vectors=Meant())
    await human.says(greeting)
    await human.says(said)
    with world.database.read() as db:
        assert user.name(db) == name


@pytest.mark.parametrize(
    "said", ["vivo en un piso", "ich wohne in einer WG", "¿vivo en Sevilla?", "das ist meine Schwester"]
)
async def test_no_fact_is_made_of_what_names_nothing(said: str, human: Human, world: World) -> None:
    await human.says(said)
    with world.database.read() as db:
        assert db.execute("SELECT count(*) FROM memories").fetchone()[0] == 0


@pytest.mark.parametrize(("code", "told", "remark", "question"), UNSPOKEN)
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
    await human.says("jestem dzisiaj bardzo zmęczony")
    for number in range(12):
        await human.says(f"the box with number {number} is in the cellar")
    assert (await human.says("klucz jest pod wycieraczką"))[0] in SPOKEN["pl"].again


async def test_what_was_never_written_is_not_made_up(human: Human) -> None:
    await human.says("hoy estoy muy cansado")
    assert "No encuentro nada" in (await human.says("¿dónde está la llave?"))[0]


async def test_english_is_answered_in_english_again(human: Human) -> None:
    await human.says("hoy estoy muy cansado")
    assert "Noor" in (await human.says("now once more in English: my name is Noor"))[0]


@pytest.mark.parametrize("said", ["schadenfreude is a great word", "c'est la vie", "haha", "ok"])
async def test_a_loan_word_is_no_language(said: str, human: Human) -> None:
    await human.says("hello there, it is me")
    assert (await human.says(said))[0].isascii()


async def test_commands_and_reminders_work_whatever_language_the_talk_is_in(human: Human) -> None:
    await human.says("hoy estoy muy cansado")
    assert "/more" in (await human.says("/help"))[0]
    assert "18:00" in (await human.says("remind me at 18:00 to call Ana"))[0]


@pytest.mark.parametrize(
    ("code", "said", "weighs"),
    [
        ("it", "mio padre è morto di infarto", True),
        ("it", "la nonna è morta di cancro ieri", True),
        ("it", "sono morti tutti e due", True),
        ("pt", "o meu pai morreu de cancro", True),
        ("pt", "tô morta de cansada", False),
        ("it", "sono morto di fame", False),
        ("it", "sono proprio morta", False),
    ],
)
def test_who_is_dead_tired_tells_of_no_death(code: str, said: str, weighs: bool) -> None:
    language = next(one for one in load_languages().each if one.code == code)
    assert language.weighs(said) is weighs


async def test_chinese_as_people_ask(human: Human) -> None:
    """A list without its name, a reminder by what it is about, quiet with the object behind the verb, and a name put
    right in a whole sentence."""
    await human.says("你好")
    await human.says("我叫陈皓")
    assert "拖鞋" in (await human.says("帮我记一下要买的：拖鞋、吸管杯"))[-1]
    await human.says("明天早上九点提醒我给二姨打电话")
    assert "取消了：给二姨打电话" in (await human.says("把给二姨打电话那个取消"))[-1]
    assert "22:00" in (await human.says("晚上十点以后别发消息给我"))[-1]
    await human.says("我家的狗叫芝麻")
    assert "豆豆" in (await human.says("我说错了，狗不叫芝麻，叫豆豆"))[-1]


@pytest.mark.parametrize(
    ("hello", "little", "answer"),
    [
        ("hallo", "ich hab Hunger", "Dann hol dir was Gutes. Ich bin da, wenn du wiederkommst."),
        ("salut", "je n'arrive pas à dormir", "Une nuit comme ça, c’est long. Je suis là, si parler aide."),
        ("hola", "jajaja", "Eso me alegra."),
        ("привет", "что мне приготовить?", "что есть дома?"),
        ("merhaba", "açım", "O zaman kendine güzel bir şey al. Dönünce buradayım."),
        ("你好", "饿死了", "那快去吃点好吃的吧。你回来的时候我还在。"),
    ],
)
async def test_a_little_thing_is_met_with_a_line_and_is_no_name(
    human: Human, hello: str, little: str, answer: str
) -> None:
    await human.says(hello)
    [said] = await human.says(little)
    assert said.endswith(answer) or said in ("Me gusta cuando te ríes.",)


@pytest.mark.parametrize(
    ("hello", "told"),
    [("hallo", "ich hab Kopfweh"), ("salut", "j'ai froid"), ("merhaba", "üşüyorum"), ("你好", "不想说")],
)
async def test_a_sentence_after_the_question_for_the_name_is_none(
    world: World, human: Human, hello: str, told: str
) -> None:
    await human.says(hello)
    await human.says(told)
    with world.database.read() as db:
        assert user.name(db) is None


@pytest.mark.parametrize(
    ("hello", "told", "asked", "of_the_world"),
    [
        (
            "hallo, ich bin Uwe",
            "meine Mutter ist Lehrerin",
            "welchen Beruf hat meine Mutter?",
            "was verdient man in Rom?",
        ),
        ("hola, soy Ana", "mi madre trabaja de maestra", "¿qué oficio tiene mi madre?", "¿cuánto se gana en Roma?"),
        ("salut, je suis Luc", "ma mère est institutrice", "quel métier exerce ma mère ?", "on gagne combien à Rome ?"),
        ("ciao, sono Ugo", "mia madre fa la maestra", "che mestiere fa mia madre?", "quanto si guadagna a Parigi?"),
        ("oi, sou Rui", "minha mãe é professora", "qual a profissão da minha mãe?", "quanto se ganha em Roma?"),
        ("привет, я Олег", "моя мама учительница", "какая профессия у моей мамы?", "сколько зарабатывают в Риме?"),
        ("selam, adım Emre", "annem öğretmen", "annem hangi işi yapıyor?", "Roma'da ne kadar kazanılıyor?"),
        ("你好，我叫陈立", "我妈是老师", "我妈的职业是什么？", "罗马的护士一个月赚多少？"),
    ],
)
async def test_what_may_answer_is_quoted(human: Human, hello: str, told: str, asked: str, of_the_world: str) -> None:
    """The question has no word of the statement but the person; one about the world has none."""
    for text in (hello, told):
        await human.says(text)
    assert told in " ".join(await human.says(asked))
    assert told not in " ".join(await human.says(of_the_world))


async def test_what_is_known_goes_further_back_and_leaves_out_corrections(human: Human, clock: FrozenClock) -> None:
    remarks = [f"heute gab es Suppe Nummer {number}" for number in range(9)]
    for text in ("hallo, ich bin Uwe", "meine Schwester kommt am Donnerstag", "nein, am Freitag", *remarks):
        clock.pass_(minutes=3)
        await human.says(text)
    known = " ".join(await human.says("was weißt du über mich?"))
    assert "meine Schwester kommt am Donnerstag" in known
    assert "nein, am Freitag" not in known
