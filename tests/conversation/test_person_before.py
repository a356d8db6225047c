"""In other languages than English, too, "she" is somebody that the message before was about, in facts and questions."""

from __future__ import annotations

import random

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.language.facts import abroad
from furoshiki.language.testimony import as_told
from furoshiki.memory.store import memories
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.world import World
from tests.support.world import FrozenClock, Human, Script

LANGUAGES = {one.code: one for one in load_languages().each}
"""The languages by code."""

SISTER = {
    "de": "meine Schwester wohnt in Leeds",
    "es": "mi hermana vive en Leeds",
    "fr": "ma sœur habite à Leeds",
    "it": "mia sorella abita a Leeds",
    "pt": "minha irmã mora em Leeds",
    "ru": "моя сестра живёт в Лидсе",
    "tr": "ablam Leeds'te yaşıyor",
    "zh": "我姐姐住在利兹",
}
AT_WORK = {
    "de": ("sie arbeitet bei der Post", "wo arbeitet sie?", "wo wohnt sie?"),
    "es": ("trabaja en un banco", "¿dónde trabaja?", "¿dónde vive?"),
    "fr": ("elle travaille à la poste", "où est-ce qu'elle travaille ?", "où habite-t-elle ?"),
    "it": ("lavora alle poste", "dove lavora?", "dove abita?"),
    "pt": ("ela trabalha num banco", "onde ela trabalha?", "onde mora?"),
    "ru": ("она работает на почте", "где она работает?", "где она живёт?"),
    "tr": ("bir bankada çalışıyor", "nerede çalışıyor?", "nerede yaşıyor?"),
    "zh": ("她在邮局工作", "她在哪里工作？", "她住在哪？"),
}
OF_THEM = (
    ("de", "mein Bruder kommt morgen", "er ist 40", ("brother", "age", "40")),
    ("de", "meine Tochter spielt Geige", "ihr Geburtstag ist am 3. Mai", ("daughter", "birthday", "3. Mai")),
    ("de", "mein Sohn ist krank", "er heißt Tim", ("user", "son", "Tim")),
    ("es", "mi hermano viene mañana", "tiene 40 años", ("brother", "age", "40")),
    ("es", "mi hija toca el violín", "su cumpleaños es el 3 de mayo", ("daughter", "birthday", "3 de mayo")),
    ("fr", "mon frère vient demain", "il a 40 ans", ("brother", "age", "40")),
    ("fr", "ma fille joue du violon", "son anniversaire est le 3 mai", ("daughter", "birthday", "3 mai")),
    ("it", "mio fratello viene domani", "ha 40 anni", ("brother", "age", "40")),
    ("it", "mio figlio è malato", "si chiama Tommaso", ("user", "son", "Tommaso")),
    ("pt", "meu irmão vem amanhã", "tem 40 anos", ("brother", "age", "40")),
    ("pt", "minha filha toca violino", "o aniversário dela é dia 3 de maio", ("daughter", "birthday", "3 de maio")),
    ("ru", "брат приедет завтра", "ему 40 лет", ("brother", "age", "40")),
    ("ru", "дочка играет на скрипке", "у неё день рождения 3 мая", ("daughter", "birthday", "3 мая")),
    ("ru", "сын болеет", "его зовут Тимур", ("user", "son", "Тимур")),
    ("tr", "abim yarın geliyor", "40 yaşında", ("brother", "age", "40")),
    ("tr", "kızım keman çalıyor", "doğum günü 3 Mayıs", ("daughter", "birthday", "3 Mayıs")),
    ("zh", "我哥哥明天来", "他40岁", ("brother", "age", "40")),
    ("zh", "我女儿在拉小提琴", "她的生日是5月3日", ("daughter", "birthday", "5月3日")),
    ("de", "", "meine Schwester ist zu Besuch, sie wohnt in Porto", ("sister", "lives_in", "Porto")),
    ("es", "", "mi hermana vino ayer, vive en Porto", ("sister", "lives_in", "Porto")),
    ("ru", "", "приехала сестра, она живёт в Туле", ("sister", "lives_in", "Туле")),
)
NOT_OF_HER = {
    "de": "er ist 12|das Auto ist 12 Jahre alt|sie arbeitet im Garten|sie ist in der Küche|ich wohne in Bonn"
    "|sie arbeitet bei offenem Fenster|es ist 40 Grad warm|sie haben 40 Leute entlassen",
    "es": "el coche tiene 12 años|tiene 3 habitaciones|tiene 40 de fiebre|vive de alquiler|trabaja en una novela nueva"
    "|cumple con todo|el vecino vive en Sevilla|vive en paz|se llama amor|él tiene 40 años",
    "fr": "il fait froid|il y a 40 ans|il a 12 ans, mon ordi|elle travaille à la maison|elle habite encore là"
    "|le voisin travaille à la poste|la voiture a 12 ans|il est né le 3 mai",
    "it": "ha piovuto|la macchina ha 12 anni|ha 3 stanze|lavora in un progetto nuovo|lavora all'estero|vive in pace"
    "|si chiama destino|ha 40 di febbre|il vicino lavora alle poste",
    "pt": "o carro tem 12 anos|tem 3 quartos|faz 10 anos|faz 10 anos que não vou lá|vive reclamando|mora longe"
    "|tem 12 anos de garantia|o vizinho trabalha num banco|se chama saudade",
    "ru": "он 12 лет простоял в гараже|машине 12 лет|она работает в ночь|ей лучше|у неё температура 39"
    "|сосед работает на почте|она живёт далеко|ему 40 лет|она работает в декабре|она работает на батарейках",
    "tr": "araba 12 yaşında|komşu İzmir'de oturuyor|orada yaşıyor|Ayşe İzmir'de yaşıyor|klima çalışıyor|adı üstünde"
    "|evde çalışıyor|kafede oturuyor|doğum günü yaklaşıyor|telefonda çalışıyor|pilde çalışıyor",
    "zh": "他们住在上海|车12岁了|她在家工作|她在努力工作|邻居在邮局工作|她住得很远|他40岁|她住院了|她叫我回家|它12岁了",
}
"""After a message about a sister: about something or somebody else, or nothing that is stored."""


def told(code: str, before: str, said: str) -> list[tuple[str, str, str]]:
    """The facts of a message after another."""
    found = abroad.facts_in(as_told(said), LANGUAGES[code], [before] if before else [])
    return [(fact.subject, fact.predicate, fact.object) for fact in found]


@pytest.mark.parametrize(("code", "before", "said", "fact"), OF_THEM)
def test_a_fact_is_of_the_person_spoken_of_before(
    code: str, before: str, said: str, fact: tuple[str, str, str]
) -> None:
    assert fact in told(code, before, said)


@pytest.mark.parametrize(
    ("code", "said"), [(code, one) for code, all_ in NOT_OF_HER.items() for one in all_.split("|")]
)
def test_nothing_else_becomes_a_fact_of_her(code: str, said: str) -> None:
    assert [fact for fact in told(code, SISTER[code], said) if "sister" in fact] == []


def test_of_two_people_neither_is_meant_and_after_something_else_nobody() -> None:
    assert told("de", "meine Schwester und meine Mutter sind da", "sie wohnt in Porto") == []
    assert told("de", "mein Bruder ist da", "sie wohnt in Porto") == []
    german, before = LANGUAGES["de"], ["der Bus kam nicht", "meine Schwester ist da"]
    assert abroad.name_person("wo wohnt sie?", before, german) == "wo wohnt sie?"
    assert abroad.find_asked("wo wohnt sie?", german) is None
    assert abroad.name_person("Was wissen Sie?", ["mein Hund heißt Balu"], german) == "Was wissen Sie?"


@pytest.mark.parametrize("code", SISTER)
async def test_she_is_told_of_and_asked_about(
    code: str, human: Human, world: World, model: Script, clock: FrozenClock
) -> None:
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 20
    work, asked_work, asked_home = AT_WORK[code]
    await human.says(SISTER[code])
    for said, quoted in ((work, None), (asked_work, work), (asked_home, SISTER[code])):
        clock.pass_(minutes=2)
        [reply] = await human.says(said)
        assert quoted is None or quoted.casefold() in reply.casefold()
    with world.database.read() as db:
        of_her = {fact.predicate for fact in memories.read_known(db) if fact.subject == "sister"}
    assert of_her == {"lives_in", "works_at"}
